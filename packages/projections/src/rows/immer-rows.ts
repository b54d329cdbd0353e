import { createDraft, enablePatches, finishDraft, type Patch } from 'immer'
import { sameValues, valuesOf } from './column-value.ts'
import { mapTables } from './map-tables.ts'
import { PlainTable } from './plain-rows.ts'
import type { Range, Rows, Scalar, Table, TableDefinition, TableDefinitions } from './port.ts'
import type { RowChange } from './row-change.ts'

enablePatches()

/** Rows whose updates are immer recipes over one row at a time: drafting a whole state costs a thousand times more. */
class ImmerTable<R extends object> implements Table<R> {
  readonly #definition: TableDefinition<R>
  readonly #rows: PlainTable<R>
  readonly #record: (change: RowChange) => void

  constructor(definition: TableDefinition<R>, record: (change: RowChange) => void) {
    this.#definition = definition
    this.#rows = new PlainTable(definition)
    this.#record = record
  }

  get(...key: readonly Scalar[]): Readonly<R> | undefined {
    return this.#rows.get(...key)
  }

  find(unique: string, ...values: readonly Scalar[]): Readonly<R> | undefined {
    return this.#rows.find(unique, ...values)
  }

  last(order: string, ...prefix: readonly Scalar[]): Readonly<R> | undefined {
    return this.#rows.last(order, ...prefix)
  }

  range(order: string, range: Range): readonly Readonly<R>[] {
    return this.#rows.range(order, range)
  }

  insert(row: R): boolean {
    if (!this.#rows.insert(row)) return false
    this.#record({ kind: 'insert', table: this.#definition.name, key: this.#keyOf(row), row })
    return true
  }

  update(key: readonly Scalar[], recipe: (draft: R) => void): boolean {
    const before = this.#rows.get(...key)
    if (!before) return false
    const { after, patches } = drafted(before, recipe)
    if (!sameValues(before, after, this.#definition.key)) return false
    if (patches.length === 0) return true
    if (!this.#rows.put(after)) return false
    this.#record({ kind: 'update', table: this.#definition.name, key: this.#keyOf(after), patches })
    return true
  }

  upsert(row: R, recipe: (draft: R) => void): boolean {
    const key = this.#keyOf(row)
    return (this.#rows.get(...key) !== undefined || this.insert(row)) && this.update(key, recipe)
  }

  put(row: R): boolean {
    const key = this.#keyOf(row)
    return this.#rows.get(...key) ? this.update(key, (draft) => void Object.assign(draft, row)) : this.insert(row)
  }

  remove(...key: readonly Scalar[]): void {
    if (!this.#rows.get(...key)) return
    this.#rows.remove(...key)
    this.#record({ kind: 'remove', table: this.#definition.name, key })
  }

  #keyOf(row: Readonly<R>): readonly Scalar[] {
    return valuesOf(row, this.#definition.key)
  }
}

function drafted<R extends object>(
  before: Readonly<R>,
  recipe: (draft: R) => void,
): { readonly after: R; readonly patches: readonly Patch[] } {
  const draft = createDraft(before)
  let patches: readonly Patch[] = []
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- immer's Draft<R> is R made writable, and rows are
  recipe(draft as R)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the draft of an R finishes as an R
  const after = finishDraft(draft, (made) => void (patches = made)) as R
  return { after, patches }
}

/** Rows in memory that tell what changed in them. */
export interface ImmerRows<T> {
  readonly rows: Rows<T>
  /** What changed since it was last asked, in order. */
  readonly takeChanges: () => readonly RowChange[]
}

/** Port 2: all tables in memory, empty, every change recorded. */
export function immerRows<T extends { readonly [N in keyof T]: object }>(tables: TableDefinitions<T>): ImmerRows<T> {
  let changes: RowChange[] = []
  const record = (change: RowChange): void => void changes.push(change)
  return {
    rows: mapTables<T, Rows<T>>(tables, (definition) => new ImmerTable(definition, record)),
    takeChanges: () => {
      const taken = changes
      changes = []
      return taken
    },
  }
}
