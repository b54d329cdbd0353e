/**
 * What a column holds. `stream` is text that a stored port may intern; `json` any JSON value, compared by value. Numbers
 * are finite and not -0, as in JSON text; `integer` says that they are whole, so that a stored port can store them small.
 * Every port gives back exactly the value and type that was put in.
 */
export type ColumnKind = 'text' | 'integer' | 'real' | 'boolean' | 'json' | 'stream'

export interface Column {
  readonly kind: ColumnKind
  readonly nullable: boolean
}

/** Values that keys and indexes are made of. Order: null first, then false, true, numbers, then text by code point. */
export type Scalar = string | number | boolean | null

/** A table's shape, from which each port makes its own storage. Made by `defineTable`, which checks it. */
export interface TableDefinition<R> {
  readonly name: string
  readonly columns: { readonly [C in keyof R & string]: Column }
  /** Never null, and never changed by an update. */
  readonly key: readonly (keyof R & string)[]
  /** Named sets of columns whose values stand once; a set with a null in it never collides. */
  readonly unique: { readonly [name: string]: readonly (keyof R & string)[] }
  /** Named orders for `last` and `range`, ties by key. The key itself is the order called `key`. */
  readonly ordered: { readonly [name: string]: readonly (keyof R & string)[] }
  /** A row with the same values that may be changed. */
  readonly copy: (row: Readonly<R>) => R
}

/** One definition for each table of `T`, which maps table names to row types. */
export type TableDefinitions<T> = { readonly [N in keyof T]: TableDefinition<T[N]> }

export interface Range {
  /** Values of the order's leading columns. */
  readonly prefix: readonly Scalar[]
  /**
   * Bounds on the columns after the prefix (and then the key's), both left out of the answer: rows that equal a bound in
   * all its columns are not given. Absent: no bound.
   */
  readonly after?: readonly Scalar[]
  readonly before?: readonly Scalar[]
  /** Most rows to give; `Infinity` for all. */
  readonly limit: number
  readonly backwards?: boolean
}

/** Rows that are given out never change afterwards: an update makes a new row. */
export interface TableReader<R> {
  get(...key: readonly Scalar[]): Readonly<R> | undefined
  find(unique: string, ...values: readonly Scalar[]): Readonly<R> | undefined
  /** The last row of an order among those with this prefix. */
  last(order: string, ...prefix: readonly Scalar[]): Readonly<R> | undefined
  range(order: string, range: Range): readonly Readonly<R>[]
}

/**
 * The only way in which rules change rows. Nothing here throws for a row that is missing or there already. A row handed in
 * belongs to the table; JSON within a row is replaced whole, never changed in place.
 */
export interface Table<R> extends TableReader<R> {
  /** False, and nothing changed, when the key or a unique value is there already: this makes rules idempotent. */
  insert(row: R): boolean
  /** A missing key is a no-op, and false. A change of the key or one that would break a unique value is left undone, and false. */
  update(key: readonly Scalar[], recipe: (draft: R) => void): boolean
  /** Inserts this row unless its key is there, then changes what is there: `insert`, then `update`. */
  upsert(row: R, recipe: (draft: R) => void): boolean
  /** Inserts or replaces by key. False, and nothing changed, when another row holds a unique value. */
  put(row: R): boolean
  remove(...key: readonly Scalar[]): void
}

/** The tables of `T` for rules. */
export type Rows<T> = { readonly [N in keyof T]: Table<T[N]> }

/** The tables of `T` for queries. */
export type RowReaders<T> = { readonly [N in keyof T]: TableReader<T[N]> }
