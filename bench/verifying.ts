import { join } from 'node:path'
import { openSqliteStore, systemSource, verifyStore } from '@refold/engine'
import { fill } from './history.ts'
import { under, type Line } from './line.ts'
import { seconds } from './measure.ts'

const EVENTS = 100_000
const SESSIONS = 1_000
const ROUNDS = 3

/** Walking the chain of a log of 1 KiB messages, as seconds for a million events. */
export async function measureVerifying(folder: string): Promise<readonly Line[]> {
  const store = await openSqliteStore({ file: join(folder, 'verifying.db'), durability: 'system' })
  await fill(store, { sessions: SESSIONS, messages: EVENTS - SESSIONS, seed: 15 })
  const times: number[] = []
  let events = 0
  for (let round = 0; round < ROUNDS; round += 1)
    times.push(
      await seconds(async () => {
        const verified = await verifyStore(store, systemSource.sha256)
        if (!verified.ok) throw new Error(verified.firstBreak?.message)
        ;({ events } = verified)
      }),
    )
  await store.close()
  const median = times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0
  return [under(`verifying 1 M events (${events} of them)`, (median / events) * 1e6, 10, 's')]
}
