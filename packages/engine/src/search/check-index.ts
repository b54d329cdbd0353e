import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { EventStore } from '@refold/events'
import { isDamage } from '../views/damage.ts'
import { isOfLog } from '../views/is-of-log.ts'
import { SearchFile } from './search-file.ts'

/** How an index is. Only `damaged` is a fault: the next search makes it anew, as it does one that does not fit the log. */
export type SearchState =
  /** Nobody has searched yet. */
  | { readonly state: 'absent' }
  /** Of another log, of one that went back to a backup, or of another version. */
  | { readonly state: 'foreign' }
  | { readonly state: 'damaged'; readonly problem: string }
  /** It goes up to `position`; what the log has beyond is taken in by the next search. */
  | { readonly state: 'whole'; readonly position: number }

/** Looks at the index as it lies there, and changes nothing. Reads all of it. */
export async function checkIndex(file: string, log: EventStore, shape: string): Promise<SearchState> {
  if (!existsSync(file)) return { state: 'absent' }
  try {
    const found = readWhole(file)
    if ('state' in found) return found
    return (await isOfLog(found, log, shape)) ? { state: 'whole', position: found.position } : { state: 'foreign' }
  } catch (problem) {
    if (!isDamage(problem)) throw problem
    return { state: 'damaged', problem: problem instanceof Error ? problem.message : String(problem) }
  }
}

function readWhole(file: string): SearchState | NonNullable<ReturnType<SearchFile['checkpoint']>> {
  const database = new Database(file, { readonly: true })
  try {
    // Also asks FTS5 whether its own tables fit together.
    const [first] = database.prepare<[], string>('PRAGMA integrity_check(1)').pluck().all()
    if (first !== 'ok') return { state: 'damaged', problem: first ?? 'SQLite says nothing.' }
  } finally {
    database.close()
  }
  const index = new SearchFile(file)
  try {
    return index.checkpoint() ?? { state: 'foreign' }
  } finally {
    index.close()
  }
}
