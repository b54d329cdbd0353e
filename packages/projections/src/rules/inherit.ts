import { sessionStream, type EventOf, type Recorded } from '@refold/events'
import { isShownMessage } from '../read/entry-role.ts'
import { entryAt, findEntry, levelsOf, type Level } from '../read/levels.ts'
import type { TableRows } from '../tables.ts'
import { transcriptOf } from './add-entry.ts'

/**
 * Writes down what a branch or stray begins with: a count and a reference, no entries. It begins empty where the origin
 * or the message is unknown, where it has entries already, or where that would close a circle; so that reading through
 * origins always ends.
 */
export function inherit({ stream, revision, data }: Recorded<EventOf<'SessionStarted'>>, rows: TableRows): void {
  const tip = rows.tips.get(stream)
  if (!tip || (data.origin.kind !== 'branch' && data.origin.kind !== 'stray')) return
  const { session, cut } = data.origin
  const origin = sessionStream({ namespace: tip.namespace, session })
  const [own, behind] = [transcriptOf(rows, stream), rows.transcripts.get(origin)]
  if (own.next > 0 || own.origin !== null || !behind) return
  const levels = levelsOf(rows, origin, cut.asOf)
  if (levels.some((level) => level.stream === stream)) return
  const last = cut.through && findEntry(rows, levels, 'message', cut.through.message)?.entry
  const inherited = last ? withSummaries(rows, levels, last.n + 1) : 0
  const shown = last ? last.shownBefore + (isShownMessage(last) ? 1 : 0) : 0
  rows.transcripts.update([stream], (draft) => {
    draft.next = inherited
    draft.shown = shown
    draft.origin = origin
    draft.asOf = Math.min(cut.asOf, behind.revision) // what the origin says later is not the branch's
    draft.since = revision
    draft.inherited = inherited
    draft.inheritedShown = shown
  })
}

/** Marks of the compactions right behind its last message belong to it: its context begins with their summaries. */
function withSummaries(rows: TableRows, levels: readonly Level[], end: number): number {
  let inherited = end
  for (let n = end; ; n++) {
    const kind = entryAt(rows, levels, n)?.kind
    if (kind === 'compaction') inherited = n + 1
    else if (kind !== 'rotation') return inherited
  }
}
