import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { rowsContract, sampleRow, type PortUnderTest } from '../projections/rows-contract.ts'
import { sampleTables, type SampleTables } from '../projections/sample-table.ts'
import { storedRows, viewSchema, type StoredRows } from '@refold/engine'

function openRows(): StoredRows<SampleTables> & { readonly database: Database.Database } {
  const database = new Database(':memory:')
  for (const statement of viewSchema(sampleTables)) database.exec(statement)
  return { ...storedRows<SampleTables>(database, sampleTables), database }
}

rowsContract('stored rows, written back and read again', (): PortUnderTest => {
  const { rows, flush, drop, database } = openRows()
  const settle = (): void => {
    flush()
    drop()
  }
  return { rows, settle, close: () => database.close() }
})

rowsContract('stored rows that hold on to what they wrote', (): PortUnderTest => {
  const { rows, flush, database } = openRows()
  return { rows, settle: flush, close: () => database.close() }
})

rowsContract('rows over stored ones that are never written back', (): PortUnderTest => {
  const { rows, database } = openRows()
  return { rows, settle: () => undefined, close: () => database.close() }
})

rowsContract('stored rows that began empty, so that new ones are not looked for', (): PortUnderTest => {
  const { rows, flush, drop, startEmpty, database } = openRows()
  startEmpty()
  const settle = (): void => {
    flush()
    drop()
  }
  return { rows, settle, close: () => database.close() }
})

test('new rows are not looked for in tables that began empty, and all are once others may have written', () => {
  const { rows, flush, drop, startEmpty, doubt, database } = openRows()
  startEmpty()
  rows.samples.insert(sampleRow({ n: 1, name: 'ours' }))
  flush()
  drop()
  expect(rows.samples.get('s', 1)).toMatchObject({ name: 'ours' })
  const behind = storedRows<SampleTables>(database, sampleTables)
  behind.rows.samples.insert(sampleRow({ n: 2, name: 'theirs' }))
  behind.flush()
  expect(rows.samples.get('s', 2)).toBeUndefined()
  drop()
  doubt()
  expect(rows.samples.get('s', 2)).toMatchObject({ name: 'theirs' })
})

test('what was flushed is what readers see, value and type', () => {
  const { rows, readers, flush, database } = openRows()
  const row = sampleRow({
    name: '\ud800',
    weight: 3,
    flag: true,
    count: 12,
    parent: 'p',
    extra: { deep: [1, '1', true, null] },
  })
  rows.samples.insert(row)
  expect(readers.samples.get('s', 0)).toBeUndefined()
  flush()
  expect(readers.samples.get('s', 0)).toStrictEqual(row)
  const stored = database
    .prepare('SELECT typeof(n), typeof(weight), typeof(flag), typeof(stream) FROM samples')
    .raw()
    .all()
  expect(stored).toEqual([['integer', 'real', 'integer', 'integer']])
})

test('rows of one session are read in their order without sorting and without going through others', () => {
  const { database } = openRows()
  const prepared: string[] = []
  const watched = new Proxy(database, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...given: unknown[]): unknown => {
        if (name === 'prepare') prepared.push(String(given[0]))
        return Reflect.apply(member, target, given)
      }
    },
  })
  const { readers } = storedRows<SampleTables>(watched, sampleTables)
  readers.samples.range('key', { prefix: ['s'], after: [3], limit: 5 })
  readers.samples.last('count', 's', 1, true)
  const plans = prepared
    .filter((sql) => sql.includes('LIMIT'))
    .map((sql) => database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`))
    .map((plan) => plan.all(...Array.from(plan.source.matchAll(/\?/g), () => 1)).map(({ detail }) => detail))
  expect(plans).toEqual([
    ['SEARCH samples USING PRIMARY KEY (stream=? AND n>?)'],
    ['SEARCH samples USING INDEX samples.by.count (stream=? AND count=? AND flag=?)'],
  ])
})
