import type { TableReaders } from '../tables.ts'
import { countHidden } from './hidden-at.ts'
import { hiddenIn, levelsOf } from './levels.ts'

type Readers = Pick<TableReaders, 'transcripts' | 'entries' | 'rewinds'>

/** How many messages a transcript shows, as of a revision or now; by arithmetic over intervals. */
export function shownAt(rows: Readers, stream: string, at: number = Infinity): number {
  const levels = levelsOf(rows, stream, at)
  return levels[0].boundShown - countHidden(hiddenIn(rows, levels))
}
