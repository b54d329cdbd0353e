import type { Database, Statement } from 'better-sqlite3'

/** Values remembered before memory begins anew. */
const REMEMBERED = 10_000

/** Where values of one kind stand and how they are written there. */
export interface InternedKind<V> {
  readonly table: string
  readonly key: string
  readonly columns: readonly string[]
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
    const columns = this.#kind.toColumns(value)
    const name = columns.join('\n')
    const known = this.#keys.get(name)
    if (known !== undefined) return known
    const key = this.#findKey.get(...columns)
    if (key !== undefined) this.#remember(name, key, value)
    return key
  }

  /** The value's key, given to it now if it has none; within a transaction. */
  intern(value: V): number {
    const known = this.keyOf(value)
    if (known !== undefined) return known
    const columns = this.#kind.toColumns(value)
    const key = Number(this.#insert.run(...columns).lastInsertRowid)
    this.#remember(columns.join('\n'), key, value)
    return key
  }

  /** Undefined only in a damaged file. */
  valueOf(key: number): V | undefined {
    const known = this.#values.get(key)
    if (known !== undefined) return known
    const columns = this.#findValue.get(key)
    if (columns === undefined) return undefined
    const value = this.#kind.fromColumns(columns)
    this.#remember(this.#kind.toColumns(value).join('\n'), key, value)
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
