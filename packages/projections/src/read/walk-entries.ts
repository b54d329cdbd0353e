import type { EntryRow } from '../rules/transcript-rows.ts'
import type { TableReaders } from '../tables.ts'
import { rangeOf, type HiddenRange } from './hidden-at.ts'
import type { Level } from './levels.ts'

/** Hidden stretches up to this long are read and left out; longer ones are jumped over. */
const SHORT_STRETCH = 64

export interface Walk {
  readonly levels: readonly Level[]
  /** Merged. */
  readonly hidden: readonly HiddenRange[]
  /** Entries `[from, to)`. */
  readonly from: number
  readonly to: number
  readonly backwards?: boolean
  /** Rows to read at once. */
  readonly chunk: number
}

export interface Walked {
  readonly entry: Readonly<EntryRow>
  /** Index of the level that owns it. */
  readonly level: number
}

/** Entries that are not hidden, in order, read as they are asked for: the cost is that of what is taken. */
export function* walkEntries(rows: Pick<TableReaders, 'entries'>, walk: Walk): Generator<Walked, void> {
  const { levels, hidden, backwards = false } = walk
  let [from, to] = [walk.from, walk.to]
  while (from < to) {
    const edge = backwards ? to - 1 : from
    const jump = rangeOf(hidden, edge)
    const level = levels.findIndex(({ own, bound }) => own <= edge && edge < bound)
    const owner = levels[level]
    if (jump || !owner) {
      if (backwards) to = jump ? jump.from : edge
      else from = jump ? jump.to : edge + 1
      continue
    }
    const [low, high] = [Math.max(from, owner.own), Math.min(to, owner.bound)]
    const read = rows.entries.range('key', {
      prefix: [owner.stream],
      after: [low - 1],
      before: [high],
      limit: walk.chunk,
      backwards,
    })
    let next = backwards ? low : high
    for (const [index, entry] of read.entries()) {
      const range = rangeOf(hidden, entry.n)
      if (range && range.to - range.from > SHORT_STRETCH) {
        next = backwards ? range.from : range.to
        break
      }
      if (!range) yield { entry, level }
      if (index === walk.chunk - 1) next = backwards ? entry.n : entry.n + 1
    }
    if (backwards) to = next
    else from = next
  }
}
