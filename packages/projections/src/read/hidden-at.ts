import type { RewindRow } from '../rules/transcript-rows.ts'

/** Entries `[from, to)`, with the number of shown messages before each end. */
export interface HiddenRange {
  readonly from: number
  readonly to: number
  readonly shownAtFrom: number
  readonly shownAtTo: number
}

/**
 * What is out of sight once the event at `revision` has happened: the union of all rewinds open then, as sorted ranges
 * that neither touch nor overlap. The order in which rewinds were made and undone plays no part.
 */
export function hiddenAt(rewinds: readonly Readonly<RewindRow>[], revision: number): readonly HiddenRange[] {
  const ranges: HiddenRange[] = []
  for (const rewind of rewinds) {
    if (!isOpenAt(rewind, revision)) continue
    const { fromEntry, toEntry, shownAtFrom, shownAtTo } = rewind
    ranges.push({ from: fromEntry, to: toEntry, shownAtFrom, shownAtTo })
  }
  return mergeRanges(ranges)
}

export function isOpenAt({ revision, until }: Readonly<RewindRow>, at: number): boolean {
  return revision <= at && (until === null || until > at)
}

export function mergeRanges(ranges: readonly HiddenRange[]): readonly HiddenRange[] {
  const merged: HiddenRange[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    if (range.from >= range.to) continue
    const last = merged.at(-1)
    if (!last || range.from > last.to) merged.push(range)
    else if (range.to > last.to) merged[merged.length - 1] = { ...last, to: range.to, shownAtTo: range.shownAtTo }
  }
  return merged
}

/** How many messages the ranges keep from being shown; they must be merged. */
export function countHidden(ranges: readonly HiddenRange[]): number {
  return ranges.reduce((sum, range) => sum + range.shownAtTo - range.shownAtFrom, 0)
}

/** The merged range that holds entry `n`. */
export function rangeOf(ranges: readonly HiddenRange[], n: number): HiddenRange | undefined {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const range = ranges[middle]
    if (range && range.to <= n) low = middle + 1
    else high = middle
  }
  const range = ranges[low]
  return range && range.from <= n ? range : undefined
}
