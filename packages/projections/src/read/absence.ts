import type { EventRef } from '@refold/events'
import type { EntryRow, RewindRow } from '../rules/transcript-rows.ts'
import type { ContextReaders } from './context-plan.ts'
import { isInContext } from './entry-role.ts'
import { isOpenAt } from './hidden-at.ts'
import { findEntry, levelsOf, type Level } from './levels.ts'
import { standingSummary } from './standing-summary.ts'

/** A rewind that is open, and the event that made it. */
export interface OpenRewind extends EventRef {
  readonly undoId: string
}

/** Why the model is not sent a message or note. */
export type Absence =
  | { readonly because: 'unknown' }
  | { readonly because: 'person-only' | 'failed' | 'unfinished' }
  | { readonly because: 'rewound'; readonly by: readonly OpenRewind[] }
  | { readonly because: 'covered'; readonly compaction: string; readonly by: EventRef }

/** Says of what a context does not hold, as of a revision or now, why that is. To be asked only of such messages and notes. */
export function absences(
  rows: ContextReaders,
  stream: string,
  at: number = Infinity,
): (kind: string, id: string) => Absence {
  const levels = levelsOf(rows, stream, at)
  const summary = standingSummary(rows, levels)
  return (kind, id) => {
    const found = findEntry(rows, levels, kind, id)
    if (!found) return { because: 'unknown' }
    const { entry, level } = found
    if (entry.shownTo === 'person') return { because: 'person-only' }
    const by = rewindsOver(rows, levels, entry)
    if (by.length > 0) return { because: 'rewound', by }
    if (!isInContext(entry, levels[level]?.at ?? Infinity)) return { because: 'failed' }
    // What else is left out is an answer that still grows at the very end.
    if (!summary || entry.n >= summary.compaction.coveredTo) return { because: 'unfinished' }
    const { id: compaction, stream: owner, revision } = summary.compaction
    return { because: 'covered', compaction, by: { stream: owner, revision } }
  }
}

/** Open rewinds that hold an entry, of the session and of what it begins with. */
export function rewindsOver(
  rows: Pick<ContextReaders, 'rewinds'>,
  levels: readonly Level[],
  { n }: Pick<EntryRow, 'n'>,
): readonly OpenRewind[] {
  const holds = (rewind: Readonly<RewindRow>, { at, bound }: Level): boolean =>
    n < bound && rewind.fromEntry <= n && n < rewind.toEntry && isOpenAt(rewind, at)
  return levels.flatMap((level) =>
    rows.rewinds
      .range('key', { prefix: [level.stream], limit: Infinity })
      .filter((rewind) => holds(rewind, level))
      .map(({ undoId, stream, revision }) => ({ undoId, stream, revision })),
  )
}
