import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { formatOf, migrate } from '../../../packages/engine/src/stores/sqlite/migrate.ts'
import { migrations, type Migration } from '../../../packages/engine/src/stores/sqlite/migrations.ts'
import { temporaryFolder } from './temporary-folder.ts'

const second: Migration = (database) => database.exec('CREATE TABLE second (n INTEGER) STRICT')
const third: Migration = (database) => database.exec('ALTER TABLE second ADD COLUMN m INTEGER')

const failing: Migration = (database) => {
  database.exec('CREATE TABLE half (n INTEGER) STRICT')
  throw new Error('no further')
}

function fresh(): { readonly database: Database.Database; readonly file: string } {
  const file = join(temporaryFolder(), 'log.db')
  const database = new Database(file)
  onTestFinished(() => {
    database.close()
  })
  return { database, file }
}

const tables = (database: Database.Database): unknown[] =>
  database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY 1")
    .pluck()
    .all()

test('a file goes through every step that it lacks, in order, and remembers how far it came', () => {
  const { database, file } = fresh()
  migrate(database, file, migrations)
  expect(formatOf(database)).toBe(1)
  expect(tables(database)).toEqual(['actors', 'blobs', 'event_types', 'events', 'log', 'streams'])
  migrate(database, file, [...migrations, second, third])
  expect(formatOf(database)).toBe(3)
  expect(database.prepare('SELECT n, m FROM second').all()).toEqual([])
})

test('a file that lacks nothing is left alone', () => {
  const { database, file } = fresh()
  migrate(database, file, [...migrations, second])
  const before = database.pragma('schema_version', { simple: true })
  migrate(database, file, [...migrations, second])
  expect(database.pragma('schema_version', { simple: true })).toBe(before)
})

test('a step that fails leaves nothing of itself, and the steps before it stand', () => {
  const { database, file } = fresh()
  expect(() => migrate(database, file, [...migrations, second, failing])).toThrow('no further')
  expect(formatOf(database)).toBe(2)
  expect(tables(database)).not.toContain('half')
  expect(database.inTransaction).toBe(false)
  migrate(database, file, [...migrations, second, third])
  expect(formatOf(database)).toBe(3)
})

test('a file beyond the last known step is refused and left as it is', () => {
  const { database, file } = fresh()
  migrate(database, file, [...migrations, second, third])
  expect(() => migrate(database, file, migrations)).toThrow(
    expect.objectContaining({ code: 'store-newer', fields: { file, found: 3, known: 1 } }),
  )
  expect(formatOf(database)).toBe(3)
})

test('a step is taken once, whoever comes first', () => {
  const { database, file } = fresh()
  const other = new Database(file)
  onTestFinished(() => {
    other.close()
  })
  const steps = [...migrations, second]
  migrate(other, file, steps)
  migrate(database, file, steps)
  expect([formatOf(database), formatOf(other)]).toEqual([2, 2])
})
