import { sameValues, valuesOf } from './column-value.ts'
import { KeyMap } from './key-map.ts'
import { mapTables } from './map-tables.ts'
import type { Range, Rows, Scalar, Table, TableDefinition, TableDefinitions } from './port.ts'
import { RowOrder, type Slot } from './row-order.ts'

/** A set of columns whose values stand once, and the rows by these values. */
interface Unique<R> {
  readonly columns: readonly (keyof R & string)[]
  readonly slots: KeyMap<Slot<R>>
}

/** A named order that was asked for at least once; `columns` end in the key's. */
interface Order<R> {
  readonly columns: readonly (keyof R & string)[]
  readonly rows: RowOrder<R>
}

/**
 * Rows in memory. An update copies the row, changes the copy and puts it in the old one's place, so that rows given out
 * earlier stay as they were. An order costs nothing until it is first asked for.
 */
export class PlainTable<R extends object> implements Table<R> {
  readonly #definition: TableDefinition<R>
  readonly #slots: KeyMap<Slot<R>>
  readonly #uniques = new Map<string, Unique<R>>()
  readonly #orders = new Map<string, Order<R>>()

  constructor(definition: TableDefinition<R>) {
    this.#definition = definition
    this.#slots = new KeyMap(definition.key.length)
    for (const [name, columns] of Object.entries(definition.unique))
      this.#uniques.set(name, { columns, slots: new KeyMap(columns.length) })
  }

  get(...key: readonly Scalar[]): Readonly<R> | undefined {
    return this.#slots.get(key)?.row
  }

  find(unique: string, ...values: readonly Scalar[]): Readonly<R> | undefined {
    return this.#unique(unique).slots.get(values)?.row
  }

  last(order: string, ...prefix: readonly Scalar[]): Readonly<R> | undefined {
    return this.#order(order).rows.range({ prefix, limit: 1, backwards: true })[0]
  }

  range(order: string, range: Range): readonly Readonly<R>[] {
    return this.#order(order).rows.range(range)
  }

  insert(row: R): boolean {
    return this.add(row) !== undefined
  }

  /** `insert`, which answers where the row lives from now on. */
  add(row: R, key: readonly Scalar[] = valuesOf(row, this.#definition.key)): Slot<R> | undefined {
    if (this.#slots.get(key) || !this.#isFree(row)) return undefined
    const slot = { row }
    this.#slots.set(key, slot)
    for (const { columns, slots } of this.#uniques.values()) hold(slots, columns, slot)
    for (const { rows } of this.#orders.values()) rows.add(slot)
    return slot
  }

  update(key: readonly Scalar[], recipe: (draft: R) => void): boolean {
    const slot = this.#slots.get(key)
    if (!slot) return false
    const draft = this.#definition.copy(slot.row)
    recipe(draft)
    return sameValues(slot.row, draft, this.#definition.key) && this.replace(slot, draft)
  }

  upsert(row: R, recipe: (draft: R) => void): boolean {
    const key = valuesOf(row, this.#definition.key)
    return (this.#slots.get(key) !== undefined || this.insert(row)) && this.update(key, recipe)
  }

  put(row: R): boolean {
    const slot = this.#slots.get(valuesOf(row, this.#definition.key))
    return slot ? this.replace(slot, row) : this.insert(row)
  }

  remove(...key: readonly Scalar[]): void {
    const slot = this.#slots.get(key)
    if (!slot) return
    for (const { rows } of this.#orders.values()) rows.remove(slot)
    for (const { columns, slots } of this.#uniques.values()) release(slots, columns, slot.row)
    this.#slots.delete(key)
  }

  /** `put` of a row with the key of the one in this slot, without looking for it. */
  replace(slot: Slot<R>, row: R): boolean {
    const before = slot.row
    if (!this.#isFree(row, slot)) return false
    const moved: RowOrder<R>[] = []
    for (const { columns, rows } of this.#orders.values()) {
      if (sameValues(before, row, columns)) continue
      rows.remove(slot)
      moved.push(rows)
    }
    slot.row = row
    for (const rows of moved) rows.add(slot)
    for (const { columns, slots } of this.#uniques.values()) {
      if (sameValues(before, row, columns)) continue
      release(slots, columns, before)
      hold(slots, columns, slot)
    }
    return true
  }

  #isFree(row: Readonly<R>, held?: Slot<R>): boolean {
    for (const { columns, slots } of this.#uniques.values()) {
      if (held && sameValues(held.row, row, columns)) continue
      const values = valuesOf(row, columns)
      if (!values.includes(null) && slots.get(values)) return false
    }
    return true
  }

  #unique(name: string): Unique<R> {
    const unique = this.#uniques.get(name)
    if (!unique) throw new TypeError(`${this.#definition.name} has no unique set ${name}.`)
    return unique
  }

  #order(name: string): Order<R> {
    const known = this.#orders.get(name)
    if (known) return known
    const { key, ordered } = this.#definition
    const [first, ...rest] = name === 'key' ? key : [...(ordered[name] ?? []), ...key]
    if (first === undefined || (name !== 'key' && !ordered[name]))
      throw new TypeError(`${this.#definition.name} has no order ${name}.`)
    const order: Order<R> = { columns: [first, ...rest], rows: new RowOrder([first, ...rest]) }
    for (const slot of this.#slots.values()) order.rows.add(slot)
    this.#orders.set(name, order)
    return order
  }
}

function hold<R>(slots: KeyMap<Slot<R>>, columns: readonly (keyof R & string)[], slot: Slot<R>): void {
  const values = valuesOf(slot.row, columns)
  if (!values.includes(null)) slots.set(values, slot)
}

function release<R>(slots: KeyMap<Slot<R>>, columns: readonly (keyof R & string)[], row: Readonly<R>): void {
  const values = valuesOf(row, columns)
  if (!values.includes(null)) slots.delete(values)
}

/** Port 1: all tables in memory, empty. */
export function plainRows<T extends { readonly [N in keyof T]: object }>(tables: TableDefinitions<T>): Rows<T> {
  return mapTables(tables, (definition) => new PlainTable(definition))
}
