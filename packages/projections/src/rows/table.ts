import type { ColumnKind, TableDefinition } from './port.ts'

/** Kinds that can hold a value of type `V`. */
type KindFor<V> = [V] extends [string]
  ? 'text' | 'stream'
  : [V] extends [number]
    ? 'integer' | 'real'
    : [V] extends [boolean]
      ? 'boolean'
      : 'json'

export interface ColumnFor<K extends ColumnKind, N extends boolean> {
  readonly kind: K
  readonly nullable: N
}

type Columns<R> = {
  readonly [C in keyof R & string]: ColumnFor<KindFor<Exclude<R[C], null>>, null extends R[C] ? true : false>
}

const column = <const K extends ColumnKind>(kind: K): ColumnFor<K, false> => ({ kind, nullable: false })

/** Column kinds by the names that table definitions use. */
export const text: ColumnFor<'text', false> = column('text')
export const stream: ColumnFor<'stream', false> = column('stream')
export const integer: ColumnFor<'integer', false> = column('integer')
export const real: ColumnFor<'real', false> = column('real')
export const boolean: ColumnFor<'boolean', false> = column('boolean')
/** A JSON value, null included. */
export const json: ColumnFor<'json', true> = { kind: 'json', nullable: true }

export function nullable<K extends ColumnKind>({ kind }: ColumnFor<K, boolean>): ColumnFor<K, true> {
  return { kind, nullable: true }
}

/**
 * A table's definition whose column kinds fit the row type. Throws `TypeError` on a key that may be null and on JSON in a
 * key, unique set or order: SQLite has no order for either that the other ports share.
 *
 * @example
 * interface EntryRow { stream: string; n: number; id: string; turn: string | null }
 * const entries = defineTable<EntryRow>({
 *   name: 'entries',
 *   columns: { stream, n: integer, id: text, turn: nullable(text) },
 *   key: ['stream', 'n'],
 *   unique: { id: ['stream', 'id'] },
 * })
 */
export function defineTable<R>(definition: {
  readonly name: string
  readonly columns: Columns<R>
  readonly key: readonly (keyof R & string)[]
  readonly unique?: TableDefinition<R>['unique']
  readonly ordered?: TableDefinition<R>['ordered']
  /**
   * To be written out, column by column, for tables whose rows change with most events: V8 has a quick way to copy an object
   * whose layout was made by a literal, and none for a copy that was made by spreading.
   */
  readonly copy?: TableDefinition<R>['copy']
}): TableDefinition<R> {
  const { name, columns, key, unique = {}, ordered = {}, copy = (row) => ({ ...row }) } = definition
  const indexed = [key, ...Object.values(unique), ...Object.values(ordered)].flat()
  const bad =
    indexed.find((column) => columns[column].kind === 'json') ?? key.find((column) => columns[column].nullable)
  if (bad !== undefined) throw new TypeError(`${name}.${bad} can be no part of a key, unique set or order.`)
  if (key.length === 0) throw new TypeError(`${name} has no key.`)
  return { name, columns, key, unique, ordered, copy }
}
