import { isDeepStrictEqual } from 'node:util'
import { valuesOf, type TableDefinition, type TableReader } from '@refold/projections'
import { columnNames } from '../views/table-schema.ts'
import type { StoredTable } from '../views/stored-table.ts'
import { finding, type ColumnDrift, type Finding } from './finding.ts'

/** Every row of a table as stored against the same as folded; pauses where `null` comes, to let others work. */
export function* compareRows<R extends object>(
  definition: TableDefinition<R>,
  stored: StoredTable<R>,
  folded: TableReader<R>,
): IterableIterator<Finding | null> {
  let looked = 0
  for (const row of stored.all()) {
    const should = folded.get(...valuesOf(row, definition.key))
    const drift = drifted(definition, row, should)
    if (drift) yield drift
    looked += 1
    if (looked % PAUSE_EVERY === 0) yield null
  }
  for (const row of folded.range('key', { prefix: [], limit: Infinity })) {
    if (stored.get(...valuesOf(row, definition.key)) === undefined) {
      const drift = drifted(definition, undefined, row)
      if (drift) yield drift
    }
    looked += 1
    if (looked % PAUSE_EVERY === 0) yield null
  }
}

const PAUSE_EVERY = 2_000

function drifted<R extends object>(
  definition: TableDefinition<R>,
  stored: Readonly<R> | undefined,
  folded: Readonly<R> | undefined,
): Finding | undefined {
  const { name, key } = definition
  const row = stored ?? folded
  if (!row) return undefined
  const columns: ColumnDrift[] = columnNames(definition)
    .filter((column) => !isDeepStrictEqual(stored?.[column], folded?.[column]))
    .map((column) => ({ name: column, stored: stored?.[column], folded: folded?.[column] }))
  if (columns.length === 0) return undefined
  const code = stored === undefined ? 'row-missing' : folded === undefined ? 'row-extra' : 'row-different'
  const values = valuesOf(row, key)
  const stream = 'stream' in row && typeof row.stream === 'string' ? { stream: row.stream } : {}
  const differing =
    code === 'row-different' ? `, column${columns.length > 1 ? 's' : ''} ${columns.map((c) => c.name).join(', ')}` : ''
  return finding(code, `Table ${name}, row ${JSON.stringify(values)}${differing}:`, {
    ...stream,
    table: name,
    key: values,
    columns,
  })
}
