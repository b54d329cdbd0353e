import { type Clock, saneTime } from './clock.ts'
import { isUnknownKind } from './notice.ts'
import type { Skeleton } from './skeleton.ts'
import type { Talk } from './talk.ts'
import type { HermesWarning, Warn } from './warning.ts'

const roles = new Set(['user', 'assistant', 'tool', 'system', 'developer'])

/** What was read otherwise than it stood in the rows of one conversation. */
export function warningsOf(skeleton: Skeleton, talk: Talk, cut: string | null, clock: Clock): readonly HermesWarning[] {
  const warnings: HermesWarning[] = []
  const warn: Warn = (code, where, kept) => warnings.push({ code, where, kept })
  let absurd = 0
  for (const entry of talk.entries) {
    if (talk.inherited.has(entry)) continue
    const { first } = entry
    const place = `messages/${first.id}`
    for (const { row } of entry.uses) {
      for (const column of row.unreadable)
        warn('unreadable-json', `messages/${row.id}.${column}`, column === 'content' ? 'text' : 'extra')
    }
    if (!roles.has(entry.role)) warn('unknown-role', place, 'nativeRole')
    if (isUnknownKind(first)) warn('unknown-display-kind', place, 'displayKind')
    if (first.time !== null && saneTime(first.time, clock) === null) absurd++
  }
  if (absurd > 0) warn('absurd-time', `sessions/${skeleton.rootId} (${absurd} messages)`, 'rawTime')
  for (const { row, of } of talk.redeliveries) {
    if (row.text !== of.text) warn('redelivery-with-other-text', `messages/${row.id}`, 'redeliveries')
  }
  const tip = skeleton.segments.at(-1)
  if (tip !== undefined && tip.endReason === null && tip.endedAt !== null)
    warn('end-without-reason', `sessions/${tip.id}`, 'end')
  const hasOwn = talk.entries.length > 0
  if (skeleton.edge?.kind === 'branch' && cut === null && hasOwn)
    warn('branch-shares-nothing', `sessions/${skeleton.rootId}`, 'origin')
  return warnings
}
