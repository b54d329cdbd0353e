import { sessionStream, type EventOf, type Recorded } from '@refold/events'
import { isShownMessage } from '../read/entry-role.ts'
import { findEntry, levelsOf } from '../read/levels.ts'
import type { TableRows } from '../tables.ts'

/**
 * Writes down what a branch or stray begins with: a count and a reference, no entries. It begins empty where the origin
 * or the message is unknown, where it has entries already, or where that would close a circle; so that reading through
 * origins always ends.
 */
export function inherit({ stream, data }: Recorded<EventOf<'SessionStarted'>>, rows: TableRows): void {
  const tip = rows.tips.get(stream)
  if (!tip || (data.origin.kind !== 'branch' && data.origin.kind !== 'stray')) return
  const { session, cut } = data.origin
  const origin = sessionStream({ namespace: tip.namespace, session })
  if (rows.transcripts.get(stream) || !rows.tips.get(origin)) return
  const levels = levelsOf(rows, origin, cut.asOf)
  if (levels.some((level) => level.stream === stream)) return
  const last = cut.through && findEntry(rows, levels, 'message', cut.through.message)?.entry
  const inherited = last ? last.n + 1 : 0
  const shown = last ? last.shownBefore + (isShownMessage(last) ? 1 : 0) : 0
  rows.transcripts.insert({
    stream,
    next: inherited,
    shown,
    origin,
    asOf: cut.asOf,
    inherited,
    inheritedShown: shown,
  })
}
