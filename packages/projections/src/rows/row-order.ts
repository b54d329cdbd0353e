import { compareScalars } from './compare.ts'
import { valueOf } from './column-value.ts'
import type { Range, Scalar } from './port.ts'
import { SortedRows } from './sorted-rows.ts'

/** Holds a row that others refer to while the row itself is replaced by newer versions. */
export interface Slot<R> {
  row: Readonly<R>
}

/** A place between rows: the values of an order's leading columns, before or behind the rows that equal them. */
interface Place {
  readonly values: readonly Scalar[]
  readonly behind: boolean
}

/**
 * One order of a table. Rows are kept in groups by the first column, which mostly is the stream: so finding a session's rows
 * compares no stream names, and its next row goes to the end of a short list.
 */
export class RowOrder<R> {
  readonly #first: keyof R & string
  readonly #rest: readonly (keyof R & string)[]
  readonly #groups = new Map<Scalar, SortedRows<Slot<R>>>()
  /** The groups' values in order; undefined after a group came or went. */
  #order: Scalar[] | undefined

  constructor(columns: readonly [keyof R & string, ...(keyof R & string)[]]) {
    ;[this.#first, ...this.#rest] = columns
  }

  add(slot: Slot<R>): void {
    const first = valueOf(slot.row, this.#first)
    let group = this.#groups.get(first)
    if (!group) {
      this.#groups.set(first, (group = new SortedRows((a, b) => this.#compare(a, b))))
      this.#order = undefined
    }
    group.add(slot)
  }

  /** Takes the slot out; to be called while it still holds the row with which it was added. */
  remove(slot: Slot<R>): void {
    const first = valueOf(slot.row, this.#first)
    const group = this.#groups.get(first)
    group?.remove(slot)
    if (group?.isEmpty) {
      this.#groups.delete(first)
      this.#order = undefined
    }
  }

  range({ prefix, after, before, limit, backwards = false }: Range): Readonly<R>[] {
    const low: Place = { values: after ? [...prefix, ...after] : prefix, behind: after !== undefined }
    const high: Place = { values: before ? [...prefix, ...before] : prefix, behind: before === undefined }
    const rows: Readonly<R>[] = []
    for (const first of this.#groupsFor(prefix, backwards)) {
      if (rows.length >= limit) break
      const isLow = low.values.length > 0 ? compareScalars(first, low.values[0] ?? null) : 0
      const isHigh = high.values.length > 0 ? compareScalars(first, high.values[0] ?? null) : 0
      if (isLow < 0 || isHigh > 0) continue
      const found = this.#groups
        .get(first)
        ?.between(
          isLow > 0 ? () => 1 : this.#side(low),
          isHigh < 0 ? () => -1 : this.#side(high),
          limit - rows.length,
          backwards,
        )
      for (const { row } of found ?? []) rows.push(row)
    }
    return rows
  }

  #groupsFor(prefix: readonly Scalar[], backwards: boolean): readonly Scalar[] {
    if (prefix.length > 0) return prefix.slice(0, 1)
    this.#order ??= [...this.#groups.keys()].sort(compareScalars)
    return backwards ? this.#order.toReversed() : this.#order
  }

  /** Compares rows of a group with a place, of which the group has settled the first value. */
  #side({ values, behind }: Place): (slot: Slot<R>) => number {
    const rest = values.slice(1)
    const columns = this.#rest.slice(0, rest.length)
    const onEqual = behind ? -1 : 1
    return ({ row }) => {
      for (const [at, column] of columns.entries()) {
        const order = compareScalars(valueOf(row, column), rest[at] ?? null)
        if (order !== 0) return order
      }
      return onEqual
    }
  }

  #compare(a: Slot<R>, b: Slot<R>): number {
    for (const column of this.#rest) {
      const order = compareScalars(valueOf(a.row, column), valueOf(b.row, column))
      if (order !== 0) return order
    }
    return 0
  }
}
