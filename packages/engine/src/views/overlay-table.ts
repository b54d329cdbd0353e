import {
  compareScalars,
  KeyMap,
  PlainTable,
  sameValues,
  valueOf,
  valuesOf,
  type Range,
  type Scalar,
  type Slot,
  type Table,
  type TableDefinition,
  type TableReader,
} from '@refold/projections'
import { orderColumns } from './table-schema.ts'

/** A key that was looked at: the overlay alone says what its row is. */
interface Touched<R> {
  readonly key: readonly Scalar[]
  /** The row as it is stored; undefined where there is none. */
  stored: Readonly<R> | undefined
  /** The row as it is now; undefined where there is none. */
  slot: Slot<R> | undefined
  isChanged: boolean
}

/** A row that differs from what is stored. */
export interface Changed<R> {
  readonly before: Readonly<R> | undefined
  readonly after: Readonly<R> | undefined
}

/**
 * Rows in memory over stored ones: the unit of work of one table. What a rule touches is loaded once, changed here, and
 * written back together; look-ups that are not by key merge both, so that they need no writing back before.
 *
 * Invariant: no stored row that is not loaded shares a key or a unique value with a row held here.
 */
export class OverlayTable<R extends object> implements Table<R> {
  readonly #definition: TableDefinition<R>
  readonly #stored: TableReader<R>
  #rows: PlainTable<R>
  readonly #touched: KeyMap<Touched<R>>
  readonly #uniques: readonly (readonly [name: string, columns: readonly (keyof R & string)[]])[]
  #changed: Touched<R>[] = []
  #size = 0

  constructor(definition: TableDefinition<R>, stored: TableReader<R>) {
    this.#definition = definition
    this.#stored = stored
    this.#rows = new PlainTable(definition)
    this.#touched = new KeyMap(definition.key.length)
    this.#uniques = Object.entries(definition.unique)
  }

  /** Number of keys held. */
  get size(): number {
    return this.#size
  }

  get(...key: readonly Scalar[]): Readonly<R> | undefined {
    return this.#touch(key).slot?.row
  }

  find(unique: string, ...values: readonly Scalar[]): Readonly<R> | undefined {
    this.#touchUnique(unique, values)
    return this.#rows.find(unique, ...values)
  }

  last(order: string, ...prefix: readonly Scalar[]): Readonly<R> | undefined {
    return this.range(order, { prefix, limit: 1, backwards: true })[0]
  }

  range(order: string, range: Range): readonly Readonly<R>[] {
    if (this.#size === 0) return this.#stored.range(order, range)
    const columns = orderColumns(this.#definition, order)
    const held = this.#rows.range(order, range)
    const stored = this.#storedRange(order, columns, range, held)
    return merge(stored, held, columns, range)
  }

  insert(row: R): boolean {
    return this.#insert(this.#touch(valuesOf(row, this.#definition.key)), row)
  }

  update(key: readonly Scalar[], recipe: (draft: R) => void): boolean {
    return this.#update(this.#touch(key), recipe)
  }

  upsert(row: R, recipe: (draft: R) => void): boolean {
    const touched = this.#touch(valuesOf(row, this.#definition.key))
    return (touched.slot !== undefined || this.#insert(touched, row)) && this.#update(touched, recipe)
  }

  put(row: R): boolean {
    const touched = this.#touch(valuesOf(row, this.#definition.key))
    return touched.slot ? this.#replace(touched, touched.slot, row) : this.#insert(touched, row)
  }

  remove(...key: readonly Scalar[]): void {
    const touched = this.#touch(key)
    if (!touched.slot) return
    this.#rows.remove(...key)
    touched.slot = undefined
    this.#note(touched)
  }

  /** What is to be written back; from now on it counts as stored. */
  takeChanges(): readonly Changed<R>[] {
    const changes = this.#changed.map((touched) => {
      const change = { before: touched.stored, after: touched.slot?.row }
      touched.stored = change.after
      touched.isChanged = false
      return change
    })
    this.#changed = []
    return changes
  }

  /** Forgets everything, changes included. */
  drop(): void {
    this.#rows = new PlainTable(this.#definition)
    this.#touched.clear()
    this.#changed = []
    this.#size = 0
  }

  #insert(touched: Touched<R>, row: R): boolean {
    if (touched.slot) return false
    for (const [unique, columns] of this.#uniques) this.#touchUnique(unique, valuesOf(row, columns))
    touched.slot = this.#rows.add(row, touched.key)
    if (!touched.slot) return false
    this.#note(touched)
    return true
  }

  #update(touched: Touched<R>, recipe: (draft: R) => void): boolean {
    const { slot } = touched
    if (!slot) return false
    const draft = this.#definition.copy(slot.row)
    recipe(draft)
    return sameValues(slot.row, draft, this.#definition.key) && this.#replace(touched, slot, draft)
  }

  #replace(touched: Touched<R>, slot: Slot<R>, row: R): boolean {
    for (const [unique, columns] of this.#uniques)
      if (!sameValues(slot.row, row, columns)) this.#touchUnique(unique, valuesOf(row, columns))
    if (!this.#rows.replace(slot, row)) return false
    this.#note(touched)
    return true
  }

  #note(touched: Touched<R>): void {
    if (touched.isChanged) return
    touched.isChanged = true
    this.#changed.push(touched)
  }

  #touch(key: readonly Scalar[]): Touched<R> {
    return this.#touched.get(key) ?? this.#hold(key, this.#stored.get(...key))
  }

  #hold(key: readonly Scalar[], stored: Readonly<R> | undefined): Touched<R> {
    const touched: Touched<R> = { key, stored, slot: stored && this.#rows.add(stored, key), isChanged: false }
    this.#touched.set(key, touched)
    this.#size += 1
    return touched
  }

  #touchUnique(unique: string, values: readonly Scalar[]): void {
    if (values.includes(null) || this.#rows.find(unique, ...values)) return
    const stored = this.#stored.find(unique, ...values)
    if (!stored) return
    const key = valuesOf(stored, this.#definition.key)
    // One that was touched has other values by now, or it would have been found here.
    if (!this.#touched.get(key)) this.#hold(key, stored)
  }

  /** Stored rows of a range, those that are held here left out, as many as can still count beside these. */
  #storedRange(
    order: string,
    columns: readonly (keyof R & string)[],
    range: Range,
    held: readonly Readonly<R>[],
  ): Readonly<R>[] {
    const onward = range.backwards === true ? 'before' : 'after'
    const back = range.backwards === true ? 'after' : 'before'
    const placeOf = (row: Readonly<R>): Scalar[] => valuesOf(row, columns).slice(range.prefix.length)
    const farthest = held.length >= range.limit ? held.at(-1) : undefined
    let rest: Range = farthest ? { ...range, [back]: placeOf(farthest) } : range
    const rows: Readonly<R>[] = []
    for (let limit = range.limit; ; limit = Math.max(limit * 2, 16)) {
      const page = this.#stored.range(order, { ...rest, limit })
      for (const row of page)
        if (rows.length < range.limit && !this.#touched.get(valuesOf(row, this.#definition.key))) rows.push(row)
      const last = page.at(-1)
      if (last === undefined || page.length < limit || rows.length >= range.limit) return rows
      rest = { ...rest, [onward]: placeOf(last) }
    }
  }
}

/** One list of two in the order of the range, up to its limit. */
function merge<R>(
  stored: readonly Readonly<R>[],
  held: readonly Readonly<R>[],
  columns: readonly (keyof R & string)[],
  { limit, backwards }: Range,
): readonly Readonly<R>[] {
  if (held.length === 0) return stored
  const rows: Readonly<R>[] = []
  let [a, b] = [0, 0]
  while (rows.length < limit) {
    const [one, other] = [stored[a], held[b]]
    if (one === undefined && other === undefined) break
    const order = one === undefined ? 1 : other === undefined ? -1 : compareRows(one, other, columns)
    const takesStored = one === undefined || other === undefined ? order < 0 : order < 0 !== (backwards === true)
    const next = takesStored ? one : other
    if (takesStored) a += 1
    else b += 1
    if (next !== undefined) rows.push(next)
  }
  return rows
}

function compareRows<R>(a: Readonly<R>, b: Readonly<R>, columns: readonly (keyof R & string)[]): number {
  for (const column of columns) {
    const order = compareScalars(valueOf(a, column), valueOf(b, column))
    if (order !== 0) return order
  }
  return 0
}
