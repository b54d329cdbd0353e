import type { CompactionRow } from '../rules/context-rows.ts'
import type { TableReaders } from '../tables.ts'
import { isInContext } from './entry-role.ts'
import { mergeRanges, rangeOf, type HiddenRange } from './hidden-at.ts'
import { entryAt, hiddenBy, hiddenIn, levelsOf, type Level } from './levels.ts'
import { walkEntries } from './walk-entries.ts'

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
  for (const [level, { stream, at, bound }] of levels.entries()) {
    let before = at === Infinity ? undefined : at + 1
    for (;;) {
      const some = rows.compactions.range('key', {
        prefix: [stream],
        ...(before === undefined ? {} : { before: [before] }),
        limit: CHUNK,
        backwards: true,
      })
      for (const compaction of some) {
        if (compaction.coveredTo > bound || !lasts(compaction, at)) continue
        const summary = held(rows, levels, level, compaction)
        if (!isTouched(rows, levels, summary)) return summary
      }
      const last = some.at(-1)
      if (some.length < CHUNK || !last) break
      before = last.revision
    }
  }
  return undefined
}

function lasts({ undoneAt, brokenAt }: Readonly<CompactionRow>, at: number): boolean {
  return (undoneAt === null || undoneAt > at) && (brokenAt === null || brokenAt > at)
}

function held(
  rows: SummaryReaders,
  levels: readonly Level[],
  level: number,
  compaction: Readonly<CompactionRow>,
): StandingSummary {
  const { stream, revision, coveredTo } = compaction
  const at = levels[level]?.at ?? Infinity
  const kept = rows.kept
    .range('key', { prefix: [stream, revision], limit: Infinity })
    .filter(({ since }) => since <= at)
    .map(({ n }) => n)
  const notHeld = hiddenIn(rows, levelsOf(rows, stream, revision))
    .filter(({ from }) => from < coveredTo)
    .map((range) => ({ ...range, to: Math.min(range.to, coveredTo) }))
  return { compaction, level, kept, notHeld }
}

/** True when something that the summary covers was hidden since, or edited by a branch. */
function isTouched(rows: SummaryReaders, levels: readonly Level[], summary: StandingSummary): boolean {
  const { level, compaction } = summary
  const covers = (n: number): boolean => isCovered(rows, levels, summary, n)
  for (const range of hiddenSince(rows, levels, summary)) {
    const walk = { levels, hidden: summary.notHeld, from: range.from, to: range.to, chunk: CHUNK }
    for (const { entry } of walkEntries(rows, walk)) if (covers(entry.n)) return true
  }
  return levels
    .slice(0, level)
    .some(({ stream, at, own }) =>
      rows.versions
        .range('key', { prefix: [stream], before: [Math.min(own, compaction.coveredTo)], limit: Infinity })
        .some(({ n, revision }) => revision <= at && covers(n)),
    )
}

function hiddenSince(
  rows: SummaryReaders,
  levels: readonly Level[],
  { level, compaction }: StandingSummary,
): readonly HiddenRange[] {
  const ranges = levels
    .slice(0, level + 1)
    .flatMap((one, index) => hiddenBy(rows, one, index === level ? compaction.revision : -1))
  return mergeRanges(ranges)
    .filter(({ from }) => from < compaction.coveredTo)
    .map((range) => ({ ...range, to: Math.min(range.to, compaction.coveredTo) }))
}

function isCovered(
  rows: SummaryReaders,
  levels: readonly Level[],
  { compaction, level, kept, notHeld }: StandingSummary,
  n: number,
): boolean {
  if (kept.includes(n) || rangeOf(notHeld, n)) return false
  const entry = entryAt(rows, levels.slice(level), n)
  return entry !== undefined && isInContext(entry, compaction.revision)
}
