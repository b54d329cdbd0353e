import type { TableDefinition } from '@refold/projections'
import { sqlType } from './column-codec.ts'

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const listed = (names: readonly string[]): string => names.map(quoted).join(', ')

export function columnNames<R>({ columns }: TableDefinition<R>): readonly (keyof R & string)[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- defineTable takes no other names than R's
  return Object.keys(columns) as (keyof R & string)[]
}

/** Columns of an order by its name, the key's included: they make it total. */
export function orderColumns<R>(definition: TableDefinition<R>, order: string): readonly (keyof R & string)[] {
  if (order === 'key') return definition.key
  const columns = definition.ordered[order]
  if (!columns) throw new TypeError(`${definition.name} has no order ${order}.`)
  return [...columns, ...definition.key]
}

export function orderIndex(table: string, order: string): string {
  return `${table}.by.${order}`
}

/**
 * The statements that make a table. Clustered by key: rows of one session lie together, and a look-up by key descends one
 * tree.
 */
export function tableSchema<R>(definition: TableDefinition<R>): readonly string[] {
  const { name, columns, key, unique, ordered } = definition
  const lines = columnNames(definition).map((column) => {
    const { kind, nullable } = columns[column]
    return `${quoted(column)} ${sqlType(kind)}${nullable ? '' : ' NOT NULL'}`
  })
  return [
    `CREATE TABLE ${quoted(name)} (${lines.join(', ')}, PRIMARY KEY (${listed(key)})) STRICT, WITHOUT ROWID`,
    ...Object.entries(unique).map(
      ([set, columns]) => `CREATE UNIQUE INDEX ${quoted(`${name}.${set}`)} ON ${quoted(name)} (${listed(columns)})`,
    ),
    ...Object.keys(ordered).map((order) => {
      const columns = [...new Set(orderColumns(definition, order))]
      return `CREATE INDEX ${quoted(orderIndex(name, order))} ON ${quoted(name)} (${listed(columns)})`
    }),
  ]
}
