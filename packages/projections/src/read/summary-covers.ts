import type { CompactionRow } from '../rules/context-rows.ts'
import type { EntryRow, RewindRow } from '../rules/transcript-rows.ts'
import type { TableReaders } from '../tables.ts'
import { isInContext } from './entry-role.ts'
import { isOpenAt, rangeOf } from './hidden-at.ts'
import { hiddenIn, levelsOf } from './levels.ts'

type Readers = Pick<TableReaders, 'transcripts' | 'entries' | 'rewinds'>

/**
 * Tells of a session's own compactions whether an entry was in the context that they were made of; what of that they kept is
 * another matter. Reads what it needs once, when a compaction that reaches so far is asked about.
 */
export function heldBy(
  rows: Readers,
  stream: string,
  entry: Readonly<EntryRow>,
): (compaction: Readonly<CompactionRow>) => boolean {
  let known: Whereabouts | undefined
  return (compaction) => {
    const { coveredTo, revision } = compaction
    if (entry.n >= coveredTo) return false
    known ??= whereaboutsOf(rows, stream, entry)
    const { asOf, isHiddenBehind, over } = known
    // Each log counts in revisions of its own: what is inherited was in the context as of the cut, or not.
    if (isHiddenBehind || !isInContext(entry, asOf ?? revision)) return false
    return !over.some((rewind) => isOpenAt(rewind, revision))
  }
}

interface Whereabouts {
  /** Revision of the log that it was written to, where that is not the session's own. */
  readonly asOf: number | undefined
  readonly isHiddenBehind: boolean
  /** The session's own rewinds that hold it. */
  readonly over: readonly Readonly<RewindRow>[]
}

function whereaboutsOf(rows: Readers, stream: string, { n, stream: owner }: Readonly<EntryRow>): Whereabouts {
  const [, ...behind] = levelsOf(rows, stream)
  return {
    asOf: behind.find((level) => level.stream === owner)?.at,
    isHiddenBehind: rangeOf(hiddenIn(rows, behind), n) !== undefined,
    over: rows.rewinds
      .range('key', { prefix: [stream], limit: Infinity })
      .filter(({ fromEntry, toEntry }) => fromEntry <= n && n < toEntry),
  }
}
