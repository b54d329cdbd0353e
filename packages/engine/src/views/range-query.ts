import type { Column, Range, Scalar, TableDefinition } from '@refold/projections'
import { columnNames, listed, orderColumns, orderIndex, quoted } from './table-schema.ts'

/** A query's text with one `?` for each of its values, in their order. */
export interface Query<R> {
  readonly sql: string
  /** Columns of the prefix; a stream among them is bound by its key. */
  readonly prefix: readonly (keyof R & string)[]
  /** For each `?` after the prefix the place in `after` or `before`, and its column; a stream is bound by its name. */
  readonly bounds: readonly {
    readonly of: 'after' | 'before'
    readonly at: number
    readonly column: keyof R & string
  }[]
}

type Bounds<R> = Query<R>['bounds'][number][]

/**
 * The text of a range read. Streams are ordered by their names, which costs a sort where they are not part of the prefix: of
 * all rows of that prefix when the stream comes first after it, else only of those that are equal before it.
 */
export function rangeQuery<R>(definition: TableDefinition<R>, order: string, range: Range): Query<R> {
  const columns = orderColumns(definition, order)
  const prefix = columns.slice(0, range.prefix.length)
  const rest = columns.slice(range.prefix.length)
  const bounds: Bounds<R> = []
  const conditions = prefix.map((column) => `${quoted(column)} IS ?`)
  for (const of of ['after', 'before'] as const) {
    const values = range[of]
    if (values) conditions.push(beyond(definition, of, rest, values, bounds))
  }
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''
  const direction = range.backwards === true ? ' DESC' : ''
  // A column that is settled before needs no ordering, and would keep SQLite from taking that of the index.
  const unsettled = [...new Set(rest)].filter((column) => !prefix.includes(column))
  const ordering = unsettled.map((column) => expression(definition, column) + direction)
  const orderBy = ordering.length > 0 ? ` ORDER BY ${ordering.join(', ')}` : ''
  // Named, for without statistics SQLite may rather go through all rows of a session.
  const index = order === 'key' ? '' : ` INDEXED BY ${quoted(orderIndex(definition.name, order))}`
  const from = quoted(definition.name) + index
  const selected = listed(columnNames(definition))
  return { sql: `SELECT ${selected} FROM ${from}${where}${orderBy} LIMIT ?`, prefix, bounds }
}

function columnOf<R>({ columns }: TableDefinition<R>, column: keyof R & string): Column {
  return columns[column]
}

function expression<R>(definition: TableDefinition<R>, column: keyof R & string): string {
  return columnOf(definition, column).kind === 'stream'
    ? `(SELECT name FROM stream_names WHERE stream_key = ${quoted(definition.name)}.${quoted(column)})`
    : quoted(column)
}

/**
 * True of the rows behind (or before) the values, compared column by column. The first column's own bound stands apart, so
 * that an index can be entered there. Nulls come first, which SQLite's comparisons do not say.
 */
function beyond<R>(
  definition: TableDefinition<R>,
  of: 'after' | 'before',
  columns: readonly (keyof R & string)[],
  values: readonly Scalar[],
  bounds: Bounds<R>,
  at = 0,
): string {
  const column = columns[at]
  const value = values[at]
  if (column === undefined || value === undefined) return '0' // equal in all: neither behind nor before
  const here = expression(definition, column)
  const bind = (): string => {
    bounds.push({ of, at, column })
    return '?'
  }
  const isLast = at + 1 >= Math.min(values.length, columns.length)
  const rest = (): string => beyond(definition, of, columns, values, bounds, at + 1)
  if (value === null) {
    const strict = of === 'after' ? `${here} IS NOT NULL` : '0'
    return isLast ? strict : `(${strict} OR (${here} IS NULL AND ${rest()}))`
  }
  if (of === 'after')
    return isLast ? `${here} > ${bind()}` : `(${here} >= ${bind()} AND (${here} > ${bind()} OR ${rest()}))`
  const orNull = columnOf(definition, column).nullable ? ` OR ${here} IS NULL` : ''
  return isLast
    ? `(${here} < ${bind()}${orNull})`
    : `((${here} <= ${bind()}${orNull}) AND (${here} < ${bind()}${orNull} OR ${rest()}))`
}
