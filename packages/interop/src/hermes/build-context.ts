import type { HermesContextRow } from './conversation.ts'
import type { Entry } from './entry.ts'
import type { MessageRow } from './message-row.ts'
import type { Talk } from './talk.ts'

/** The live rows of the newest segment, each with what it holds. */
export function buildContext(talk: Talk, tipRows: readonly MessageRow[]): readonly HermesContextRow[] {
  const held = new Map<number, string[]>()
  const summaries = new Map<number, string>()
  const hold = (entry: Entry): void => {
    for (const { row, as } of entry.uses) {
      if (as !== 'redelivery') held.set(row.id, [...(held.get(row.id) ?? []), entry.key])
    }
  }
  for (const entry of talk.entries) hold(entry)
  for (const summary of summariesOf(talk)) for (const { row } of summary.uses) summaries.set(row.id, summary.key)
  return tipRows
    .filter((row) => row.state === 'live' && row.role !== 'session_meta')
    .map((row) => ({ rowId: row.id, holds: held.get(row.id) ?? [], summaryOf: summaries.get(row.id) ?? null }))
}

/** Also the one that a branch begins with, which is no compaction of its own. */
function summariesOf(talk: Talk): readonly Entry[] {
  const own = talk.items.flatMap((item) => (item.kind === 'compaction' ? [item.compaction.summary] : []))
  return [...own, ...talk.live.filter((entry) => entry.kind === 'summary')]
}
