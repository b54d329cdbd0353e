import { join } from 'node:path'
import { openSqliteStore } from '@refold/engine'
import type { AnyRecorded, EventStore } from '@refold/events'
import { fold, immerRows, plainRows, tables } from '@refold/projections'
import { fill } from './history.ts'
import { atMost, type Line } from './line.ts'
import { pairs, seconds } from './measure.ts'

const EVENTS = 20_000
const PAGE = 1_000

/** Folding all projections in memory, against reading and parsing the events. */
export async function measureFolding(folder: string): Promise<readonly Line[]> {
  const store = await openSqliteStore({ file: join(folder, 'folding.db'), durability: 'system' })
  await fill(store, { sessions: 100, messages: EVENTS, seed: 8 })
  const events = await readLog(store)
  const read = async (): Promise<number> => seconds(() => readLog(store))
  const plain = async (): Promise<number> => {
    const rows = plainRows(tables)
    return seconds(() => {
      for (const event of events) fold(event, rows)
    })
  }
  const patches = async (): Promise<number> => {
    const { rows, takeChanges } = immerRows(tables)
    return seconds(() => {
      for (const event of events) {
        fold(event, rows)
        takeChanges()
      }
    })
  }
  const ofPlain = await pairs(7, plain, read)
  const ofPatches = await pairs(5, patches, read)
  await store.close()
  return [
    atMost(
      'folding all projections, plain rows / reading and parsing',
      ofPlain,
      1.5,
      `${Math.round(EVENTS / ofPlain.ours)}/s`,
    ),
    atMost(
      'folding all projections, with patches / reading and parsing',
      ofPatches,
      4,
      `${Math.round(EVENTS / ofPatches.ours)}/s`,
    ),
  ]
}

async function readLog(store: EventStore): Promise<readonly AnyRecorded[]> {
  const events: AnyRecorded[] = []
  for (let after = 0; ;) {
    const page = await store.readAll({ after, limit: PAGE })
    events.push(...page)
    if (page.length < PAGE) return events
    after = page.at(-1)?.position ?? 0
  }
}
