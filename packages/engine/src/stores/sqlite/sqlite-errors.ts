import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { RefoldError } from '@refold/events'

/** Another connection holds the lock, or is just tidying up; waiting helps. */
export function isBusy(problem: unknown): boolean {
  return problem instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(problem.code)
}

/** Says in Refold's words what SQLite or the file system refused, with theirs as the cause; anything else stays as it is. */
export function storeError(problem: unknown, file: string): unknown {
  if (problem instanceof Database.SqliteError) return fromSqlite(problem, file)
  if (problem instanceof Error && 'code' in problem && 'syscall' in problem)
    return fromSystem(problem, problem.code, file)
  return problem
}

function fromSqlite(cause: InstanceType<typeof Database.SqliteError>, file: string): RefoldError {
  const { code, message: problem } = cause
  const [, primary = code] = code.split('_', 2)
  switch (primary) {
    case 'FULL':
      return new RefoldError('store-full', { file }, { cause })
    case 'READONLY':
      return code === 'SQLITE_READONLY_DBMOVED'
        ? new RefoldError('store-replaced', { file }, { cause })
        : new RefoldError('store-readonly', { file }, { cause })
    case 'NOTADB':
      return new RefoldError('not-a-store', { file }, { cause })
    case 'ERROR': // the file's own tables are not as they were made
      return new RefoldError(isOfSchema(problem) ? 'store-damaged' : 'store-failed', { file, problem }, { cause })
    case 'CORRUPT':
    case 'FORMAT':
    case 'SCHEMA':
      return new RefoldError('store-damaged', { file, problem }, { cause })
    case 'BUSY':
    case 'LOCKED':
    case 'PROTOCOL':
      return new RefoldError('store-busy', { file, waitedMs: 0 }, { cause })
    case 'PERM':
    case 'AUTH':
      return new RefoldError('store-readonly', { file }, { cause })
    case 'CANTOPEN':
      return existsSync(file)
        ? new RefoldError('store-readonly', { file }, { cause })
        : new RefoldError('store-missing', { file }, { cause })
    default:
      return isNoSpace(code)
        ? new RefoldError('store-full', { file }, { cause })
        : new RefoldError('store-failed', { file, problem: `${code}: ${problem}` }, { cause })
  }
}

/** All statements are Refold's own: what they name is missing only where somebody took it away. */
function isOfSchema(problem: string): boolean {
  return /^(no such (table|column|index)|table \S+ has (no column|\d+ columns)|malformed|unknown error in schema)/.test(
    problem,
  )
}

/** The shared-memory file could not grow: how SQLite meets a full disk before it writes anything. */
function isNoSpace(code: string): boolean {
  return code === 'SQLITE_IOERR_SHMSIZE'
}

function fromSystem(cause: Error, code: unknown, file: string): RefoldError {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new RefoldError('store-full', { file }, { cause })
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new RefoldError('store-readonly', { file }, { cause })
    case 'ENOENT':
      return new RefoldError('store-missing', { file }, { cause })
    default:
      return new RefoldError('store-failed', { file, problem: cause.message }, { cause })
  }
}
