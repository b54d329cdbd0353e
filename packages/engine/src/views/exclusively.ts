import Database from 'better-sqlite3'
import type { Source } from '../source.ts'
import { createFile } from '../stores/sqlite/open-database.ts'
import { whenFree } from '../stores/sqlite/wait-for-lock.ts'

export interface Patience {
  /** Milliseconds to wait for other processes. */
  readonly waitMs: number
  readonly source: Source
}

/**
 * Runs `work` while no other process does so with the same lock file. The lock is SQLite's on an empty file, so it ends with
 * the process that holds it. Throws `store-busy` after waiting.
 *
 * Needed to throw a damaged file away: SQLite's side files have fixed names, and a process that opened the new file between
 * two removals would share one with a process that still has the old file.
 */
export async function exclusively<A>(lockFile: string, patience: Patience, work: () => A): Promise<A> {
  const wait = { ...patience, file: lockFile }
  createFile(lockFile)
  const lock = new Database(lockFile, { timeout: 0 })
  try {
    await whenFree(() => lock.exec('BEGIN EXCLUSIVE'), wait)
    return await whenFree(work, wait)
  } finally {
    lock.close()
  }
}
