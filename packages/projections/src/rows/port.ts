/**
 * What a column holds. `stream` is text that a stored port may intern; `json` any JSON value, compared by value. Every
 * port gives back exactly the value and type that was put in.
 */
export type ColumnKind = 'text' | 'integer' | 'real' | 'boolean' | 'json' | 'stream'

export interface Column {
  readonly kind: ColumnKind
  readonly nullable: boolean
}

/** Values that keys and indexes are made of. Order: null first, then numbers, then text by code point. */
export type Scalar = string | number | boolean | null

/** A table's shape, from which each port makes its own storage. */
export interface TableDefinition<R> {
  readonly name: string
  readonly columns: { readonly [C in keyof R & string]: Column }
  readonly key: readonly (keyof R & string)[]
  /** Named sets of columns whose values stand once; a set with a null in it never collides. */
  readonly unique: { readonly [name: string]: readonly (keyof R & string)[] }
  /** Named orders for `last` and `range`. The key itself is the order called `key`. */
  readonly ordered: { readonly [name: string]: readonly (keyof R & string)[] }
}

export interface Range {
  /** Values of the order's leading columns. */
  readonly prefix: readonly Scalar[]
  /** Bounds on the columns after the prefix, both left out of the answer; absent: no bound. */
  readonly after?: readonly Scalar[]
  readonly before?: readonly Scalar[]
  readonly limit: number
  readonly backwards?: boolean
}

export interface TableReader<R> {
  get(...key: readonly Scalar[]): Readonly<R> | undefined
  find(unique: string, ...values: readonly Scalar[]): Readonly<R> | undefined
  /** The last row of an order among those with this prefix. */
  last(order: string, ...prefix: readonly Scalar[]): Readonly<R> | undefined
  range(order: string, range: Range): readonly Readonly<R>[]
}

/** The only way in which rules change rows. Nothing here throws for a row that is missing or there already. */
export interface Table<R> extends TableReader<R> {
  /** False, and nothing changed, when the key or a unique value is there already: this makes rules idempotent. */
  insert(row: R): boolean
  /** A missing key is a no-op. A change that would break a unique value is left undone, and false. */
  update(key: readonly Scalar[], recipe: (draft: R) => void): boolean
  /** Changes the row with this row's key, or inserts this row and then changes it. */
  upsert(row: R, recipe: (draft: R) => void): boolean
  /** Inserts or replaces by key. */
  put(row: R): boolean
  remove(...key: readonly Scalar[]): void
}
