import {
  compareScalars,
  KeyMap,
  PlainTable,
  sameValues,
  valueOf,
  valuesOf,
  type Range,
  type Scalar,
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
  readonly #changed = new Set<Touched<R>>()
  #size = 0

  constructor(definition: TableDefinition<R>, stored: TableReader<R>) {
    this.#definition = definition
    this.#stored = stored
    this.#rows = new PlainTable(definition)
    this.#touched = new KeyMap(definition.key.length)
  }

  /** Number of keys held. */
  get size(): number {
    return this.#size
  }

  get(...key: readonly Scalar[]): Readonly<R> | undefined {
    this.#touch(key)
    return this.#rows.get(...key)
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
    const touched = this.#touch(valuesOf(row, this.#definition.key))
    this.#touchUniques(row)
    return this.#note(touched, this.#rows.insert(row))
  }

  update(key: readonly Scalar[], recipe: (draft: R) => void): boolean {
    const touched = this.#touch(key)
    const before = this.#rows.get(...key)
    if (!before) return false
    const draft: R = { ...before }
    recipe(draft)
    if (!sameValues(before, draft, this.#definition.key)) return false
    this.#touchUniques(draft, before)
    return this.#note(touched, this.#rows.put(draft))
  }

  upsert(row: R, recipe: (draft: R) => void): boolean {
    const key = valuesOf(row, this.#definition.key)
    return (this.get(...key) !== undefined || this.insert(row)) && this.update(key, recipe)
  }

  put(row: R): boolean {
    const touched = this.#touch(valuesOf(row, this.#definition.key))
    this.#touchUniques(row)
    return this.#note(touched, this.#rows.put(row))
  }

  remove(...key: readonly Scalar[]): void {
    const touched = this.#touch(key)
    this.#note(touched, this.#rows.get(...key) !== undefined)
    this.#rows.remove(...key)
  }

  /** What is to be written back; from now on it counts as stored. */
  takeChanges(): readonly Changed<R>[] {
    const changes = Array.from(this.#changed, (touched) => {
      const change = { before: touched.stored, after: this.#rows.get(...touched.key) }
      touched.stored = change.after
      return change
    })
    this.#changed.clear()
    return changes
  }

  /** Forgets everything, changes included. */
  drop(): void {
    this.#rows = new PlainTable(this.#definition)
    this.#touched.clear()
    this.#changed.clear()
    this.#size = 0
  }

  #note(touched: Touched<R>, isChanged: boolean): boolean {
    if (isChanged) this.#changed.add(touched)
    return isChanged
  }

  #touch(key: readonly Scalar[]): Touched<R> {
    return this.#touched.get(key) ?? this.#hold(key, this.#stored.get(...key))
  }

  #hold(key: readonly Scalar[], stored: Readonly<R> | undefined): Touched<R> {
    const touched: Touched<R> = { key, stored }
    this.#touched.set(key, touched)
    this.#size += 1
    if (stored) this.#rows.insert(stored)
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

  #touchUniques(row: Readonly<R>, before?: Readonly<R>): void {
    for (const [unique, columns] of Object.entries(this.#definition.unique))
      if (!before || !sameValues(before, row, columns)) this.#touchUnique(unique, valuesOf(row, columns))
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
