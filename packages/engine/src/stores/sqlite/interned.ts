import type { Database, Statement } from 'better-sqlite3'

/** Values remembered before memory begins anew. */
const REMEMBERED = 10_000

/** Where values of one kind stand and how they are written there. */
export interface InternedKind<V> {
  readonly table: string
  readonly key: string
  readonly columns: readonly string[]
  /** Another text for each value. */
  readonly nameOf: (value: V) => string
  readonly toColumns: (value: V) => readonly (string | number)[]
  readonly fromColumns: (columns: readonly unknown[]) => V
}

/** Long values that occur in many rows, kept once under a short key. A key never changes its value. */
export class Interned<V> {
  readonly #kind: InternedKind<V>
  readonly #findKey: Statement<(string | number)[], number>
  readonly #findValue: Statement<[number], unknown[]>
  readonly #insert: Statement<(string | number)[]>
  readonly #keys = new Map<string, number>()
  readonly #values = new Map<number, V>()

  constructor(database: Database, kind: InternedKind<V>) {
    const { table, key, columns } = kind
    this.#kind = kind
    const matches = columns.map((column) => `${column} = ?`).join(' AND ')
    this.#findKey = database
      .prepare<(string | number)[], number>(`SELECT ${key} FROM ${table} WHERE ${matches}`)
      .pluck()
    this.#findValue = database
      .prepare<[number], unknown[]>(`SELECT ${columns.join(', ')} FROM ${table} WHERE ${key} = ?`)
      .raw()
    this.#insert = database.prepare(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    )
  }

  keyOf(value: V): number | undefined {
    const name = this.#kind.nameOf(value)
    const known = this.#keys.get(name)
    if (known !== undefined) return known
    const key = this.#findKey.get(...this.#kind.toColumns(value))
    if (key !== undefined) this.#remember(name, key, value)
    return key
  }

  /** The value's key, given to it now if it has none; within a transaction. */
  intern(value: V): number {
    const known = this.keyOf(value)
    if (known !== undefined) return known
    const key = Number(this.#insert.run(...this.#kind.toColumns(value)).lastInsertRowid)
    this.#remember(this.#kind.nameOf(value), key, value)
    return key
  }

  /** Undefined only in a damaged file. */
  valueOf(key: number): V | undefined {
    const known = this.#values.get(key)
    if (known !== undefined) return known
    const columns = this.#findValue.get(key)
    if (columns === undefined) return undefined
    const value = this.#kind.fromColumns(columns)
    this.#remember(this.#kind.nameOf(value), key, value)
    return value
  }

  /** After a rollback, for keys given in what was rolled back will be given to others. */
  forget(): void {
    this.#keys.clear()
    this.#values.clear()
  }

  #remember(name: string, key: number, value: V): void {
    if (this.#values.size >= REMEMBERED) this.forget()
    this.#keys.set(name, key)
    this.#values.set(key, value)
  }
}
