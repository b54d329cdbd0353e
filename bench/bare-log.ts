import { randomBytes } from 'node:crypto'
import { openSqliteStore } from '@refold/engine'
import Database from 'better-sqlite3'

/** Rows' ids, hashes and salts are cut from bytes drawn beforehand: drawing them would slow the floor down by a tenth. */
const RANDOM = randomBytes(1 << 20)

/**
 * The floor to measure against: better-sqlite3 alone, inserting finished rows into the very schema of the store, with no
 * hashing, no checks and no decisions.
 */
export interface BareLog {
  /** One durable transaction of these rows. */
  insert(streamKeys: readonly number[], payload: string): void
  close(): void
}

export async function openBareLog(file: string): Promise<BareLog> {
  const store = await openSqliteStore({ file })
  await store.close()
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  const insert = database.prepare(
    `INSERT INTO events (stream_key, revision, id, type_key, recorded_at, actor_key, hash, salt, payload)
     VALUES (?, ?, ?, 1, 1700000000000, 1, ?, ?, ?)`,
  )
  const heads = new Map<number, number>()
  let drawn = 0
  const bytes = (length: number): Buffer => {
    // An odd step, so that no id comes twice before the 16 bytes of a million rows are drawn.
    drawn = (drawn + 37) % (RANDOM.length - length)
    return RANDOM.subarray(drawn, drawn + length)
  }
  const insertAll = database.transaction((streamKeys: readonly number[], payload: string) => {
    for (const streamKey of streamKeys) {
      const revision = (heads.get(streamKey) ?? -1) + 1
      heads.set(streamKey, revision)
      insert.run(BigInt(streamKey), BigInt(revision), bytes(16), bytes(32), bytes(16), payload)
    }
  })
  return { insert: (streamKeys, payload) => insertAll(streamKeys, payload), close: () => database.close() }
}
