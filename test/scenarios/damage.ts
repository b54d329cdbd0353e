import Database from 'better-sqlite3'
import type { ScenarioWorld } from './scenario-world.ts'

/** Cuts the last record of a session in half, as a bad disk may, and gives back how to put it right. */
export async function damageLast(world: ScenarioWorld, session: string): Promise<() => Promise<void>> {
  const { position } = (await lastOf(world, session)) ?? { position: 0 }
  await world.first.close()
  const payload = editPayload(world.file, position, (text) => text.slice(0, text.length / 2))
  return async () => {
    await world.first.close()
    editPayload(world.file, position, () => payload)
  }
}

async function lastOf(world: ScenarioWorld, session: string) {
  const [last] = await world.first.store.readStream(`session-default.${session}`, { limit: 1, backwards: true })
  return last
}

/** Writes past the store; gives the payload that was there. */
function editPayload(file: string, position: number, change: (payload: string) => string): string {
  const database = new Database(file)
  try {
    const before = database.prepare('SELECT payload FROM events WHERE position = ?').pluck().get(position)
    if (typeof before !== 'string') throw new Error(`There is no payload at ${position}.`)
    database.prepare('UPDATE events SET payload = ? WHERE position = ?').run(change(before), position)
    return before
  } finally {
    database.close()
  }
}
