import { valuesOf, type Range, type Scalar, type TableDefinition, type TableReader } from '@refold/projections'
import { setOf, type WrittenValues } from './written-values.ts'

/** Stored rows as the unit of work asks for them: what is known never to have been written is not looked for. */
export class ScreenedTable<R extends object> implements TableReader<R> {
  readonly #stored: TableReader<R>
  readonly #key: readonly (keyof R & string)[]
  readonly #keySet: number
  readonly #uniques: ReadonlyMap<string, { readonly set: number; readonly columns: readonly (keyof R & string)[] }>
  readonly #written: () => WrittenValues | undefined

  /** `written` knows all tables' values since they were seen empty; undefined where nobody watched since then. */
  constructor(
    { name, key, unique }: TableDefinition<R>,
    stored: TableReader<R>,
    written: () => WrittenValues | undefined,
  ) {
    this.#stored = stored
    this.#key = key
    this.#keySet = setOf(name)
    this.#uniques = new Map(
      Object.entries(unique).map(([set, columns]) => [set, { set: setOf(`${name}.${set}`), columns }]),
    )
    this.#written = written
  }

  get(...key: readonly Scalar[]): Readonly<R> | undefined {
    const isNew = this.#written()?.has(this.#keySet, key) === false
    return isNew ? undefined : this.#stored.get(...key)
  }

  find(unique: string, ...values: readonly Scalar[]): Readonly<R> | undefined {
    const set = this.#uniques.get(unique)?.set
    const isNew = set !== undefined && this.#written()?.has(set, values) === false
    return isNew ? undefined : this.#stored.find(unique, ...values)
  }

  last(order: string, ...prefix: readonly Scalar[]): Readonly<R> | undefined {
    return this.#stored.last(order, ...prefix)
  }

  range(order: string, range: Range): readonly Readonly<R>[] {
    return this.#stored.range(order, range)
  }

  /** To be told of each row that is stored, before anything is asked for. */
  inserted(row: Readonly<R>): void {
    const written = this.#written()
    if (!written) return
    written.add(this.#keySet, valuesOf(row, this.#key))
    for (const { set, columns } of this.#uniques.values()) written.add(set, valuesOf(row, columns))
  }
}
