import Database from 'better-sqlite3'
import { fc, test } from '@fast-check/vitest'
import { afterEach, expect } from 'vitest'
import type { AnyRecorded } from '@refold/events'
import { storedRows, viewSchema, type StoredRows } from '@refold/engine'
import {
  applyChange,
  fold,
  immerRows,
  plainRows,
  projections,
  tables,
  tablesOf,
  type RowReaders,
  type TableReader,
  type Tables,
} from '@refold/projections'
import { anyEvents, malformed } from '../projections/any-events.ts'

const seed = 20_261_130
const runs = { seed, numRuns: 60 }
const title = (promise: string): string => `${promise} (seed ${seed})`

const opened: Database.Database[] = []
afterEach(() => {
  for (const database of opened.splice(0)) database.close()
})

function openStored(): StoredRows<Tables> {
  const database = new Database(':memory:')
  opened.push(database)
  for (const statement of viewSchema(tables)) database.exec(statement)
  return storedRows(database, tables)
}

/** All rows of all tables, in the order of their keys. */
function contents(rows: RowReaders<Tables>): { readonly [table: string]: readonly unknown[] } {
  const all = { prefix: [], limit: Infinity }
  const found = Object.entries<RowReaders<Tables>[keyof Tables]>(rows).map(([name, table]) => [
    name,
    table.range('key', all),
  ])
  return Object.fromEntries(found)
}

/** The same, in each named order. */
function orders(rows: RowReaders<Tables>): { readonly [order: string]: readonly unknown[] } {
  const all = { prefix: [], limit: Infinity }
  const readers = new Map<string, TableReader<object>>(Object.entries(rows))
  const found = Object.values(tables).flatMap(({ name, ordered }) =>
    Object.keys(ordered).map((order) => [`${name}.${order}`, readers.get(name)?.range(order, all)]),
  )
  return Object.fromEntries(found)
}

function folded(events: readonly AnyRecorded[]): RowReaders<Tables> {
  const rows = plainRows<Tables>(tables)
  for (const event of events) fold(event, rows)
  return rows
}

function foldedInPages(
  events: readonly AnyRecorded[],
  pageSizes: readonly number[],
  forgetful: boolean,
): StoredRows<Tables> {
  const stored = openStored()
  for (let at = 0, page = 0; at < events.length; page += 1) {
    const size = pageSizes[page % pageSizes.length] ?? 1
    for (const event of events.slice(at, at + size)) fold(event, stored.rows)
    stored.flush()
    if (forgetful) stored.drop()
    at += size
  }
  return stored
}

test('every table belongs to one projection', () => {
  expect(tablesOf(projections)).toEqual(tables)
})

test.prop([anyEvents()], runs)(title('the events tried here are well-formed'), (events) => {
  expect(malformed(events)).toEqual([])
})

test.prop([anyEvents(), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }), fc.boolean()], runs)(
  title('whatever happened, rows in SQLite are those in memory, in pages of any size'),
  (events, pageSizes, forgetful) => {
    const plain = folded(events)
    const stored = foldedInPages(events, pageSizes, forgetful)
    expect(contents(stored.readers)).toStrictEqual(contents(plain))
    expect(orders(stored.readers)).toStrictEqual(orders(plain))
    expect(contents(stored.rows)).toStrictEqual(contents(plain))
  },
)

test.prop([anyEvents()], runs)(
  title('whatever happened, rows with patches are those without, and the patches lead there'),
  (events) => {
    const { rows, takeChanges } = immerRows<Tables>(tables)
    const elsewhere = plainRows<Tables>(tables)
    for (const event of events) {
      fold(event, rows)
      for (const change of takeChanges()) expect(applyChange(elsewhere, change)).toBe(true)
    }
    expect(contents(rows)).toStrictEqual(contents(folded(events)))
    expect(contents(elsewhere)).toStrictEqual(contents(rows))
  },
)

test.prop([anyEvents(), fc.nat(80)], runs)(
  title('a fold broken off anywhere and taken up by others is a whole one'),
  (events, at) => {
    const stored = foldedInPages(events.slice(0, at), [1000], true)
    for (const event of events.slice(at)) fold(event, stored.rows)
    expect(contents(stored.rows)).toStrictEqual(contents(folded(events)))
    stored.flush()
    expect(contents(stored.readers)).toStrictEqual(contents(folded(events)))
  },
)
