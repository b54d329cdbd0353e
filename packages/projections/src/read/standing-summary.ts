import type { CompactionRow } from '../rules/context-rows.ts'
import type { RewindRow } from '../rules/transcript-rows.ts'
import type { TableReaders } from '../tables.ts'
import { isInContext } from './entry-role.ts'
import { isOpenAt, rangeOf, type HiddenRange } from './hidden-at.ts'
import { hiddenIn, levelsOf, type Level } from './levels.ts'

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
      const grown = grownNearer(rows, levels.slice(0, level), compaction, cover.has)
      if (grown !== 'edited' && !cover.touchedBy(since, grown)) return standing(rows, compaction, level, at, grown)
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
  /** `grown`: entries that are kept since. */
  readonly touchedBy: (rewinds: readonly Readonly<RewindRow>[], grown: ReadonlySet<number>) => boolean
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
    const owner = behind.find(({ own, bound }) => own <= n && n < bound)
    const entry = owner && rows.entries.get(owner.stream, n)
    // Each log counts in revisions of its own: what is inherited was in the context as of the cut, or not.
    const then = owner?.stream === stream ? revision : (owner?.at ?? revision)
    return entry !== undefined && isInContext(entry, then) && !isKept(n) && !wasHidden(n)
  }
  const touches = ({ fromEntry, toEntry }: Readonly<RewindRow>, grown: ReadonlySet<number>): boolean => {
    for (let n = fromEntry; n < Math.min(toEntry, coveredTo); n++) {
      if (!grown.has(n) && has(n)) return true
      const range = wasHidden(n) ? rangeOf(notHeld(), n) : undefined
      if (range) n = range.to - 1
    }
    return false
  }
  return { has, touchedBy: (since, grown) => since.some((rewind) => touches(rewind, grown)) }
}

/**
 * What a branch itself did with entries that it inherits: edited one that the origin's summary covers, so that this does not
 * stand there; or brought answers further that still grew, which stay live beside it. What came first counts.
 */
function grownNearer(
  rows: SummaryReaders,
  nearer: readonly Level[],
  { coveredTo }: Readonly<CompactionRow>,
  covers: (n: number) => boolean,
): ReadonlySet<number> | 'edited' {
  const grown = new Set<number>()
  for (const { stream, at, own } of nearer.toReversed()) {
    const changes = rows.versions.range('key', {
      prefix: [stream],
      before: [Math.min(own, coveredTo)],
      limit: Infinity,
    })
    for (const { n, revision, kind } of changes) {
      if (revision > at || grown.has(n) || !covers(n)) continue
      if (kind === 'edit') return 'edited'
      grown.add(n)
    }
  }
  return grown
}

function standing(
  rows: SummaryReaders,
  compaction: Readonly<CompactionRow>,
  level: number,
  at: number,
  grown: ReadonlySet<number>,
): StandingSummary {
  const { stream, revision, coveredTo } = compaction
  const kept = rows.kept
    .range('key', { prefix: [stream, revision], limit: Infinity })
    .filter(({ since }) => since <= at)
    .map(({ n }) => n)
  const notHeld = hiddenIn(rows, levelsOf(rows, stream, revision))
    .filter(({ from }) => from < coveredTo)
    .map((range) => ({ ...range, to: Math.min(range.to, coveredTo) }))
  return { compaction, level, kept: [...new Set([...kept, ...grown])], notHeld }
}
