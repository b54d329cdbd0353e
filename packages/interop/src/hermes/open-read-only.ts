import { existsSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { copyToTemporary } from './copy-to-temporary.ts'
import { isInWalMode } from './wal-mode.ts'

/** A store opened for reading. `close` also removes the temporary copy, if one had to be made. */
export interface ReadOnlyStore {
  readonly database: Database.Database
  readonly how: 'in place' | 'copy'
  /** The source kept changing while it was copied; what was read may be from two moments. */
  readonly unsettled: boolean
  close(): void
}

/**
 * Opens a foreign SQLite file so that nothing in its folder is written or created, and begins the one read
 * transaction in which all is read.
 *
 * A file in WAL mode can be read in place only while its owner keeps the shared-memory file there: without
 * it SQLite would create one, or fail in a folder that cannot be written. Such a file is copied together with
 * its log, and so is any file that cannot be opened as it stands.
 */
export function openReadOnly(path: string): ReadOnlyStore {
  if (!existsSync(path)) throw new Error(`There is no file ${path}`)
  if (readableInPlace(path)) {
    const database = tryOpening(path)
    if (database !== null) {
      return {
        database,
        how: 'in place',
        unsettled: false,
        close: () => {
          database.close()
        },
      }
    }
  }
  const copy = copyToTemporary(path)
  try {
    const database = begun(new Database(copy.path, { fileMustExist: true }))
    return {
      database,
      how: 'copy',
      unsettled: copy.unsettled,
      close: () => {
        database.close()
        copy.remove()
      },
    }
  } catch (problem) {
    copy.remove()
    throw problem
  }
}

function readableInPlace(path: string): boolean {
  if (existsSync(`${path}-journal`)) return false
  return !isInWalMode(path) || (sizeOf(`${path}-wal`) > 0 && existsSync(`${path}-shm`))
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function tryOpening(path: string): Database.Database | null {
  let database: Database.Database | null = null
  try {
    database = new Database(path, { readonly: true, fileMustExist: true })
    return begun(database)
  } catch (problem) {
    database?.close()
    if (problem instanceof Database.SqliteError && problem.code === 'SQLITE_NOTADB') throw problem
    return null
  }
}

/** A transaction holds its snapshot from the first read on, not from BEGIN. */
function begun(database: Database.Database): Database.Database {
  database.exec('BEGIN')
  database.prepare('SELECT count(*) FROM sqlite_master').get()
  return database
}
