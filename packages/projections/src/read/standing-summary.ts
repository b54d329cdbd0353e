import type { CompactionRow } from '../rules/context-rows.ts'
import type { RewindRow } from '../rules/transcript-rows.ts'
import type { TableReaders } from '../tables.ts'
import { isInContext } from './entry-role.ts'
import { isOpenAt, rangeOf, type HiddenRange } from './hidden-at.ts'
import { entryAt, hiddenIn, levelsOf, type Level } from './levels.ts'

export type SummaryReaders = Pick<
  TableReaders,
  'transcripts' | 'entries' | 'rewinds' | 'versions' | 'compactions' | 'kept'
>

/** The summary that stands, and what it was made over. */
export interface StandingSummary {
  readonly compaction: Readonly<CompactionRow>
  /** Index of the level whose log holds it. */
  readonly level: number
  /** Numbers of the entries that stay word for word, in order. */
  readonly kept: readonly number[]
  /** What was hidden when it was made, and so was not held by its author. */
  readonly notHeld: readonly HiddenRange[]
}

const CHUNK = 16

/**
 * The newest summary that stands: not undone, made within the cut, and no entry that it covers was hidden, edited or
 * redacted since. Costs a few look-ups for each newer one that does not stand.
 */
export function standingSummary(rows: SummaryReaders, levels: readonly Level[]): StandingSummary | undefined {
  const nearer: Readonly<RewindRow>[] = []
  for (const [level, { stream, at, bound }] of levels.entries()) {
    const rewinds = rows.rewinds.range('key', { prefix: [stream], limit: Infinity })
    const open = rewinds.filter((rewind) => isOpenAt(rewind, at)).toSorted((a, b) => b.revision - a.revision)
    for (const compaction of newestFirst(rows, stream, at)) {
      if (compaction.coveredTo > bound || !lasts(compaction, at)) continue
      const since = [...nearer, ...after(open, compaction.revision)]
      const cover = coverOf(rows, levels, level, compaction, rewinds)
      if (!cover.touchedBy(since) && !isEditedNearer(rows, levels.slice(0, level), compaction, cover.has))
        return standing(rows, compaction, level, at)
    }
    nearer.push(...open)
  }
  return undefined
}

function* newestFirst(rows: SummaryReaders, stream: string, at: number): Generator<Readonly<CompactionRow>, void> {
  let before = at === Infinity ? undefined : at + 1
  for (;;) {
    const range = before === undefined ? {} : { before: [before] }
    const some = rows.compactions.range('key', { prefix: [stream], ...range, limit: CHUNK, backwards: true })
    yield* some
    before = some.at(-1)?.revision
    if (some.length < CHUNK) return
  }
}

function lasts({ undoneAt, brokenAt }: Readonly<CompactionRow>, at: number): boolean {
  return (undoneAt === null || undoneAt > at) && (brokenAt === null || brokenAt > at)
}

/** Those made after a revision; the list has the newest first. */
function after(rewinds: readonly Readonly<RewindRow>[], revision: number): readonly Readonly<RewindRow>[] {
  const end = rewinds.findIndex((rewind) => rewind.revision <= revision)
  return end < 0 ? rewinds : rewinds.slice(0, end)
}

interface Cover {
  /** The summary stands for this entry: it was in the context and not kept. */
  readonly has: (n: number) => boolean
  readonly touchedBy: (rewinds: readonly Readonly<RewindRow>[]) => boolean
}

/** What a compaction covers, asked entry by entry: mostly the first one asked for settles the matter. */
function coverOf(
  rows: SummaryReaders,
  levels: readonly Level[],
  level: number,
  { stream, revision, coveredTo }: Readonly<CompactionRow>,
  rewinds: readonly Readonly<RewindRow>[],
): Cover {
  const at = levels[level]?.at ?? Infinity
  const behind = levels.slice(level)
  let merged: readonly HiddenRange[] | undefined
  const notHeld = (): readonly HiddenRange[] => (merged ??= hiddenIn(rows, levelsOf(rows, stream, revision)))
  const wasHidden = (n: number): boolean =>
    rewinds.some((rewind) => rewind.fromEntry <= n && n < rewind.toEntry && isOpenAt(rewind, revision)) ||
    (behind.length > 1 && rangeOf(notHeld(), n) !== undefined)
  const isKept = (n: number): boolean => {
    const since = rows.kept.get(stream, revision, n)?.since
    return since !== undefined && since <= at
  }
  const has = (n: number): boolean => {
    const entry = entryAt(rows, behind, n)
    return entry !== undefined && isInContext(entry, revision) && !isKept(n) && !wasHidden(n)
  }
  const touches = ({ fromEntry, toEntry }: Readonly<RewindRow>): boolean => {
    for (let n = fromEntry; n < Math.min(toEntry, coveredTo); n++) {
      if (has(n)) return true
      const range = wasHidden(n) ? rangeOf(notHeld(), n) : undefined
      if (range) n = range.to - 1
    }
    return false
  }
  return { has, touchedBy: (since) => since.some(touches) }
}

/** A branch's own edit of what it inherits: there the origin's summary of the old text does not stand. */
function isEditedNearer(
  rows: SummaryReaders,
  nearer: readonly Level[],
  { coveredTo }: Readonly<CompactionRow>,
  covers: (n: number) => boolean,
): boolean {
  return nearer.some(({ stream, at, own }) =>
    rows.versions
      .range('key', { prefix: [stream], before: [Math.min(own, coveredTo)], limit: Infinity })
      .some(({ n, revision }) => revision <= at && covers(n)),
  )
}

function standing(
  rows: SummaryReaders,
  compaction: Readonly<CompactionRow>,
  level: number,
  at: number,
): StandingSummary {
  const { stream, revision, coveredTo } = compaction
  const kept = rows.kept
    .range('key', { prefix: [stream, revision], limit: Infinity })
    .filter(({ since }) => since <= at)
    .map(({ n }) => n)
  const notHeld = hiddenIn(rows, levelsOf(rows, stream, revision))
    .filter(({ from }) => from < coveredTo)
    .map((range) => ({ ...range, to: Math.min(range.to, coveredTo) }))
  return { compaction, level, kept, notHeld }
}
