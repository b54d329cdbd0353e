import { randomBytes } from 'node:crypto'
import { openSqliteStore } from '@refold/engine'
import Database from 'better-sqlite3'

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
  const insertAll = database.transaction((streamKeys: readonly number[], payload: string) => {
    for (const streamKey of streamKeys) {
      const revision = (heads.get(streamKey) ?? -1) + 1
      heads.set(streamKey, revision)
      insert.run(BigInt(streamKey), BigInt(revision), randomBytes(16), randomBytes(32), randomBytes(16), payload)
    }
  })
  return { insert: (streamKeys, payload) => insertAll(streamKeys, payload), close: () => database.close() }
}
