import { join } from 'node:path'
import { openSqliteStore, openViews, systemSource } from '@refold/engine'
import { projections } from '@refold/projections'
import type { EventStore } from '@refold/events'
import Database from 'better-sqlite3'
import { fill } from './history.ts'
import { atLeast, under, type Line } from './line.ts'
import { pairs, seconds } from './measure.ts'
import { said } from './said.ts'
import { seeded } from './words.ts'

const EVENTS = 20_000
const SESSIONS = 100
const BATCH = 100
const BATCHES = 20

/** Appends with all row views folded, and rebuilding them, design section 11. */
export async function measureViews(folder: string): Promise<readonly Line[]> {
  return [await folding(folder), ...(await rebuilding(folder))]
}

async function folding(folder: string): Promise<Line> {
  const plain = await openSqliteStore({ file: join(folder, 'plain.db') })
  const viewed = await openSqliteStore({ file: join(folder, 'viewed.db') })
  const streams = await fill(plain, { sessions: SESSIONS, messages: SESSIONS, seed: 6 })
  await fill(viewed, { sessions: SESSIONS, messages: SESSIONS, seed: 6 })
  const views = await openViews({
    log: viewed,
    projections,
    source: systemSource,
    file: join(folder, 'viewed.views.db'),
  })
  await views.catchUp()
  const run =
    (store: EventStore, after: () => Promise<unknown>) =>
    async (round: number): Promise<number> => {
      const random = seeded(round)
      const batches = Array.from({ length: BATCHES }, (_, batch) =>
        Array.from({ length: BATCH }, (_, n) => {
          const stream = streams[n % SESSIONS] ?? ''
          const events = [said(stream, `r${round}-${batch}-${n}`, 1_024, random)]
          return { stream, expected: 'any', events } as const
        }),
      )
      return seconds(async () => {
        for (const batch of batches) {
          await store.append({ streams: batch })
          await after()
        }
      })
    }
  const pair = await pairs(
    7,
    run(viewed, () => views.catchUp()),
    run(plain, async () => undefined),
  )
  await views.close()
  await plain.close()
  await viewed.close()
  const rate = `${Math.round((BATCH * BATCHES) / pair.ours)}/s`
  return atLeast('appends of 100 with all row views folded / without views', pair, 0.4, rate)
}

async function rebuilding(folder: string): Promise<readonly Line[]> {
  const store = await openSqliteStore({ file: join(folder, 'rebuild.db'), durability: 'system' })
  await fill(store, { sessions: SESSIONS, messages: EVENTS, seed: 7 })
  const file = join(folder, 'rebuild.views.db')
  const views = await openViews({ log: store, projections, source: systemSource, file })
  await views.catchUp()
  const bare = copyOfRows(file, join(folder, 'rebuild-bare.db'))
  const log = new Database(join(folder, 'rebuild.db'), { readonly: true })
  const payloads = log.prepare<[], string>('SELECT payload FROM events ORDER BY position').pluck()
  const readAll = (): void => {
    for (const payload of payloads.iterate()) JSON.parse(payload)
  }
  const before = process.memoryUsage().rss
  const pair = await pairs(
    5,
    () => seconds(() => views.rebuild()),
    async () => {
      bare.clear()
      return seconds(() => bare.insertAll())
    },
  )
  const withReading = await pairs(
    5,
    () => seconds(() => views.rebuild()),
    async () => {
      bare.clear()
      return seconds(() => {
        readAll()
        bare.insertAll()
      })
    },
  )
  log.close()
  const grown = (process.memoryUsage().rss - before) / 1024 / 1024
  bare.close()
  await views.close()
  await store.close()
  return [
    atLeast(
      `rebuild of all row views, ${EVENTS} events / bare inserts of the same rows`,
      pair,
      0.35,
      `${Math.round(EVENTS / pair.ours)} events/s`,
    ),
    atLeast(
      'the same / bare reading of the payloads with JSON.parse, then these inserts',
      withReading,
      0.35,
      `${Math.round(EVENTS / withReading.ours)} events/s`,
    ),
    under('memory that the rebuild added', Math.max(0, grown), 300, 'MiB'),
  ]
}

/** The very rows of a views file, ready to be inserted into empty tables of the same schema, in pages of 1,000. */
function copyOfRows(from: string, to: string): { clear(): void; insertAll(): void; close(): void } {
  const source = new Database(from, { readonly: true })
  const schema = source
    .prepare<[], { name: string; type: string; sql: string }>(
      `SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       ORDER BY type DESC`,
    )
    .all()
  const tables = schema
    .filter(({ type }) => type === 'table')
    .map(({ name }) => ({ name, rows: source.prepare(`SELECT * FROM "${name}"`).raw().safeIntegers().all() }))
    .filter(({ rows }) => rows.length > 0)
  source.close()
  const target = new Database(to)
  target.pragma('journal_mode = WAL')
  target.pragma('synchronous = NORMAL')
  for (const { sql } of schema) target.exec(sql)
  const inserts = tables.map(({ name, rows }) => {
    const first = rows[0]
    const width = Array.isArray(first) ? first.length : 0
    return { rows, insert: target.prepare(`INSERT INTO "${name}" VALUES (${Array(width).fill('?').join(', ')})`) }
  })
  const page = target.transaction((insert: Database.Statement, rows: readonly unknown[]) => {
    for (const row of rows) insert.run(row)
  })
  return {
    clear: () => {
      for (const { name } of tables) target.exec(`DELETE FROM "${name}"`)
    },
    insertAll: () => {
      for (const { insert, rows } of inserts)
        for (let at = 0; at < rows.length; at += 1_000) page(insert, rows.slice(at, at + 1_000))
    },
    close: () => target.close(),
  }
}
