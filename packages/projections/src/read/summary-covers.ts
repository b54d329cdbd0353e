import type { CompactionRow } from '../rules/context-rows.ts'
import type { EntryRow } from '../rules/transcript-rows.ts'
import type { TableReaders } from '../tables.ts'
import { isInContext } from './entry-role.ts'
import { rangeOf } from './hidden-at.ts'
import { hiddenIn, levelsOf } from './levels.ts'

type Readers = Pick<TableReaders, 'transcripts' | 'entries' | 'rewinds'>

/** An entry was in the context that a compaction was made of; what of that it kept is another matter. */
export function wasHeldBy(
  rows: Readers,
  { stream, revision, coveredTo }: Readonly<CompactionRow>,
  entry: Readonly<EntryRow>,
): boolean {
  if (entry.n >= coveredTo) return false
  const levels = levelsOf(rows, stream, revision)
  const owner = levels.find((level) => level.stream === entry.stream)
  if (!isInContext(entry, owner?.at ?? revision)) return false
  return rangeOf(hiddenIn(rows, levels), entry.n) === undefined
}
