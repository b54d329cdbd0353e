import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import Database from 'better-sqlite3'
import { RefoldError, type Durability } from '@refold/events'
import { APPLICATION_ID, formatOf, migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import { pragmaNumber } from './pragma-number.ts'

/** The oldest SQLite without known faults in write-ahead logging. */
const OLDEST_SQLITE = '3.51.3'

/** Owner only: a log holds what people said. SQLite gives its side files the mode of the main one. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

/** WAL bytes that stay allocated after a checkpoint. */
const WAL_BYTES_KEPT = 16 * 1024 * 1024

const SYNCHRONOUS = { disk: 2, system: 1 } as const

/** Creates the file, and its folder, where there is none. */
export function createFile(file: string): void {
  if (existsSync(file)) return
  mkdirSync(dirname(file), { recursive: true, mode: FOLDER_MODE })
  try {
    closeSync(openSync(file, 'wx', FILE_MODE))
  } catch (problem) {
    if (!existsSync(file)) throw problem // else another process was faster
  }
}

/** Opens a file that is there; nothing of it is looked at yet. */
export function openFile(file: string): Database.Database {
  if (!existsSync(file)) throw new RefoldError('store-missing', { file })
  const database = new Database(file, { fileMustExist: true, timeout: 0 })
  const found = String(database.prepare('SELECT sqlite_version()').pluck().get())
  if (isOlder(found, OLDEST_SQLITE)) {
    database.close()
    throw new RefoldError('sqlite-too-old', { found, needed: OLDEST_SQLITE })
  }
  return database
}

/** Throws the system's error where the file may not be written; SQLite would open it for reading instead. */
export function assertWritable(file: string): void {
  accessSync(file, constants.R_OK | constants.W_OK)
}

/** Makes an open file ready for appending; a new one becomes a store. Safe to repeat when another process is in the way. */
export function prepareForWriting(
  database: Database.Database,
  file: string,
  durability: 'disk' | 'system',
): Durability {
  if (isForeign(database)) throw new RefoldError('not-a-store', { file })
  database.pragma('page_size = 4096')
  const mode = String(database.pragma('journal_mode = WAL', { simple: true }))
  if (mode !== 'wal') throw new RefoldError('store-failed', { file, problem: `its journal mode stays ${mode}` })
  // Erased payloads must not survive in free pages.
  database.pragma('secure_delete = ON')
  database.pragma(`journal_size_limit = ${WAL_BYTES_KEPT}`)
  // Only macOS has them: there, a plain fsync leaves the bytes in the drive's cache.
  database.pragma('fullfsync = ON')
  database.pragma('checkpoint_fullfsync = ON')
  migrate(database, file, migrations)
  // Last, and read back: this driver lowers it on its own when a file changes to WAL.
  database.pragma(`synchronous = ${SYNCHRONOUS[durability]}`)
  const synchronous = pragmaNumber(database, 'synchronous')
  if (synchronous < SYNCHRONOUS[durability]) {
    throw new RefoldError('store-failed', { file, problem: `its synchronous mode stays ${synchronous}` })
  }
  return synchronous >= SYNCHRONOUS.disk ? 'disk' : 'system'
}

/** Makes an open file ready for reading alone. An older format is brought up to date first. */
export function prepareForReading(database: Database.Database, file: string): void {
  if (isForeign(database)) throw new RefoldError('not-a-store', { file })
  if (isEmpty(database)) throw new RefoldError('store-missing', { file })
  migrate(database, file, migrations)
  database.pragma('query_only = ON')
}

/**
 * For a WAL file in a folder where SQLite may not create its side files, as on a read-only medium. Without them nobody
 * else has it open, so it is read as one that does not change.
 */
export function openImmutable(file: string): Database.Database | undefined {
  if (!existsSync(file) || existsSync(`${file}-wal`) || isWritable(dirname(file))) return undefined
  return new Database(`${pathToFileURL(file).href}?immutable=1`, { readonly: true })
}

function isForeign(database: Database.Database): boolean {
  return pragmaNumber(database, 'application_id') !== APPLICATION_ID && !isEmpty(database)
}

/** As SQLite leaves a file that was opened and never written: also what a crash while creating a store leaves. */
function isEmpty(database: Database.Database): boolean {
  return formatOf(database) === 0 && Number(database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()) === 0
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function isOlder(found: string, needed: string): boolean {
  return found.localeCompare(needed, 'en', { numeric: true }) < 0
}
