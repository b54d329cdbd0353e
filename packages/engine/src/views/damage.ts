import Database from 'better-sqlite3'
import { isRefoldError } from '@refold/events'
import { isBusy } from '../stores/sqlite/sqlite-errors.ts'

/** A stored row holds what no version of this program writes. */
export class DamagedRow extends Error {
  override readonly name = 'DamagedRow'
}

/** The file is there but cannot be written, opened or grown: throwing it away would not help. */
const HOPELESS = /^SQLITE_(READONLY|CANTOPEN|FULL|IOERR|PERM|AUTH|NOMEM)/

/** The file's content is at fault: it is thrown away and folded anew. */
export function isDamage(problem: unknown): boolean {
  if (problem instanceof DamagedRow) return true
  return problem instanceof Database.SqliteError && !HOPELESS.test(problem.code) && !isBusy(problem)
}

/** Views in a file do not work just now, for whatever reason of file system, SQLite or other processes. */
export function isUnusable(problem: unknown): boolean {
  if (problem instanceof DamagedRow || problem instanceof Database.SqliteError) return true
  if (isRefoldError(problem, 'views-behind') || isRefoldError(problem, 'store-busy')) return true
  return problem instanceof Error && 'code' in problem && 'syscall' in problem
}
