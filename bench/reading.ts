import { join } from 'node:path'
import { openSqliteStore } from '@refold/engine'
import Database from 'better-sqlite3'
import { atLeast, type Line } from './line.ts'
import { pairs, seconds } from './measure.ts'
import { said } from './said.ts'
import { seeded } from './words.ts'

const EVENTS = 20_000
const STREAMS = 100
const PAGE = 1_000

/** Reading the whole log, payloads parsed, against better-sqlite3 alone with `JSON.parse`. */
export async function measureReading(folder: string): Promise<readonly Line[]> {
  const file = join(folder, 'reading.db')
  const store = await openSqliteStore({ file, durability: 'system' })
  const random = seeded(5)
  for (let n = 0; n < EVENTS; n += STREAMS) {
    const streams = Array.from({ length: STREAMS }, (_, s) => {
      const stream = `session-bench.${s}`
      return { stream, expected: 'any', events: [said(stream, `m${n}`, 1024, random)] } as const
    })
    await store.append({ streams })
  }
  const bare = new Database(file, { readonly: true })
  const page = bare.prepare<[number, number], { position: number; payload: string }>(
    'SELECT * FROM events WHERE position > ? ORDER BY position LIMIT ?',
  )
  const readBare = async (): Promise<number> =>
    seconds(() => {
      for (let after = 0; ;) {
        const rows = page.all(after, PAGE)
        for (const row of rows) JSON.parse(row.payload)
        if (rows.length < PAGE) return
        after = rows.at(-1)?.position ?? 0
      }
    })
  const readOurs = async (): Promise<number> =>
    seconds(async () => {
      for (let after = 0; ;) {
        const events = await store.readAll({ after, limit: PAGE })
        if (events.length < PAGE) return
        after = events.at(-1)?.position ?? 0
      }
    })
  const pair = await pairs(9, readOurs, readBare)
  bare.close()
  await store.close()
  return [
    atLeast(
      'reading the log with parse / bare better-sqlite3 and JSON.parse',
      pair,
      0.8,
      `${Math.round(EVENTS / pair.ours)}/s`,
    ),
  ]
}
