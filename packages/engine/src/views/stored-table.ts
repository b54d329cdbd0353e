import type { Database, Statement } from 'better-sqlite3'
import type { ColumnKind, Range, Scalar, TableDefinition, TableReader } from '@refold/projections'
import { decoder, encoder, type Bound, type Decode, type Encode, type StreamKeys } from './column-codec.ts'
import { escapeText } from './escaped-text.ts'
import { rangeQuery, type Query } from './range-query.ts'
import { columnNames, listed, quoted } from './table-schema.ts'

interface StoredColumn<R> {
  readonly name: keyof R & string
  readonly kind: ColumnKind
  readonly decode: Decode
  /** For a look-up: a stream that nobody wrote has the key -1, which no row has. */
  readonly seek: Encode
  /** For a write: a stream gets a key if it has none. */
  readonly write: Encode
}

type Rows = Statement<Bound[], unknown[]>

/**
 * One table of the views file as SQLite has it: reads go straight to it, and so do writes, which are the unit of work's.
 * Statements are prepared once, when they are first needed.
 */
export class StoredTable<R extends object> implements TableReader<R> {
  readonly definition: TableDefinition<R>
  readonly #database: Database
  readonly #columns: readonly StoredColumn<R>[]
  readonly #byName: ReadonlyMap<string, StoredColumn<R>>
  readonly #key: readonly StoredColumn<R>[]
  /**
   * All columns. A row that is made column by column becomes a hash table, a copy of this keeps a fixed layout, which is
   * several times cheaper to copy with each update. So does only what was parsed, or written out in code.
   */
  readonly #blank: R
  readonly #lookUps = new Map<string, { readonly columns: readonly StoredColumn<R>[]; readonly statement: Rows }>()
  readonly #ranges = new Map<string, { readonly query: Query<R>; readonly statement: Rows }>()
  readonly #writes = new Map<string, Statement<Bound[]>>()

  constructor(database: Database, definition: TableDefinition<R>, streams: StreamKeys) {
    this.definition = definition
    this.#database = database
    const { columns } = definition
    this.#columns = columnNames(definition).map((name) => {
      const { kind } = columns[name]
      return {
        name,
        kind,
        decode: decoder(kind, streams),
        seek: encoder(kind, (stream) => streams.keyOf(stream) ?? -1),
        write: encoder(kind, (stream) => streams.intern(stream)),
      }
    })
    this.#byName = new Map(this.#columns.map((column) => [column.name, column]))
    this.#key = this.#named(definition.key)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every column, each to be filled before use
    this.#blank = JSON.parse(JSON.stringify(Object.fromEntries(this.#columns.map(({ name }) => [name, null])))) as R
  }

  get(...key: readonly Scalar[]): Readonly<R> | undefined {
    return this.#lookUp('key', this.definition.key, key)
  }

  find(unique: string, ...values: readonly Scalar[]): Readonly<R> | undefined {
    const columns = this.definition.unique[unique]
    if (!columns) throw new TypeError(`${this.definition.name} has no unique set ${unique}.`)
    return values.includes(null) ? undefined : this.#lookUp(`unique ${unique}`, columns, values)
  }

  last(order: string, ...prefix: readonly Scalar[]): Readonly<R> | undefined {
    return this.range(order, { prefix, limit: 1, backwards: true })[0]
  }

  range(order: string, range: Range): readonly Readonly<R>[] {
    if (range.limit <= 0) return []
    const { query, statement } = this.#range(order, range)
    const values: Bound[] = query.prefix.map((name, at) => this.#column(name).seek(range.prefix[at]))
    for (const { of, at, column } of query.bounds) {
      const value = range[of]?.[at]
      const { kind, seek } = this.#column(column)
      values.push(kind === 'stream' ? escapeText(String(value)) : seek(value))
    }
    values.push(Number.isFinite(range.limit) ? BigInt(Math.floor(range.limit)) : -1n)
    return statement.all(...values).map((stored) => this.#decode(stored))
  }

  /** Every row, in no order that could be relied on; what else is read meanwhile is no hindrance, writing is. */
  *all(): IterableIterator<Readonly<R>> {
    const all = listed(this.#columns.map(({ name }) => name))
    const statement = this.#prepareRead(`SELECT ${all} FROM ${quoted(this.definition.name)}`)
    for (const stored of statement.iterate()) yield this.#decode(stored)
  }

  insert(row: Readonly<R>): void {
    this.#write('insert', () => {
      const places = this.#columns.map(() => '?').join(', ')
      return `INSERT INTO ${quoted(this.definition.name)} VALUES (${places})`
    }).run(...this.#columns.map(({ name, write }) => write(row[name])))
  }

  /** Writes the columns that differ: indexes over others are not touched. */
  update(before: Readonly<R>, after: Readonly<R>): void {
    const changed = this.#columns.filter(({ name }) => before[name] !== after[name])
    if (changed.length === 0) return
    const names = changed.map(({ name }) => name)
    this.#write(`update ${names.join(' ')}`, () => {
      const assignments = names.map((name) => `${quoted(name)} = ?`).join(', ')
      return `UPDATE ${quoted(this.definition.name)} SET ${assignments} WHERE ${this.#hasKey()}`
    }).run(...changed.map(({ name, write }) => write(after[name])), ...this.#keyOf(after))
  }

  delete(row: Readonly<R>): void {
    this.#write('delete', () => `DELETE FROM ${quoted(this.definition.name)} WHERE ${this.#hasKey()}`).run(
      ...this.#keyOf(row),
    )
  }

  #lookUp(name: string, columns: readonly (keyof R & string)[], values: readonly Scalar[]): Readonly<R> | undefined {
    let known = this.#lookUps.get(name)
    if (!known) {
      const where = columns.map((column) => `${quoted(column)} = ?`).join(' AND ')
      const all = listed(this.#columns.map((column) => column.name))
      const sql = `SELECT ${all} FROM ${quoted(this.definition.name)} WHERE ${where}`
      known = { columns: this.#named(columns), statement: this.#prepareRead(sql) }
      this.#lookUps.set(name, known)
    }
    const stored = known.statement.get(...known.columns.map(({ seek }, at) => seek(values[at])))
    return stored && this.#decode(stored)
  }

  /** Which values are null is part of the text, for SQLite compares nulls in words of their own. */
  #range(order: string, range: Range): { readonly query: Query<R>; readonly statement: Rows } {
    const name = `${order} ${range.prefix.length} ${nulls(range.after)} ${nulls(range.before)} ${range.backwards === true}`
    let known = this.#ranges.get(name)
    if (!known) {
      const query = rangeQuery(this.definition, order, range)
      known = { query, statement: this.#prepareRead(query.sql) }
      this.#ranges.set(name, known)
    }
    return known
  }

  #prepareRead(sql: string): Rows {
    return this.#database.prepare<Bound[], unknown[]>(sql).raw()
  }

  #write(name: string, sql: () => string): Statement<Bound[]> {
    let statement = this.#writes.get(name)
    if (!statement) this.#writes.set(name, (statement = this.#database.prepare<Bound[]>(sql())))
    return statement
  }

  #hasKey(): string {
    return this.#key.map(({ name }) => `${quoted(name)} = ?`).join(' AND ')
  }

  #keyOf(row: Readonly<R>): Bound[] {
    return this.#key.map(({ name, seek }) => seek(row[name]))
  }

  #decode(stored: readonly unknown[]): Readonly<R> {
    const row = this.definition.copy(this.#blank)
    let at = 0
    for (const { name, decode } of this.#columns) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `insert` took from this column of an R
      row[name] = decode(stored[at]) as R[typeof name]
      at += 1
    }
    return row
  }

  #named(names: readonly (keyof R & string)[]): StoredColumn<R>[] {
    return names.map((name) => this.#column(name))
  }

  #column(name: keyof R & string): StoredColumn<R> {
    const column = this.#byName.get(name)
    if (!column) throw new TypeError(`${this.definition.name} has no column ${name}.`)
    return column
  }
}

function nulls(values: readonly Scalar[] | undefined): string {
  return values ? values.map((value) => (value === null ? '0' : '1')).join('') : '-'
}
