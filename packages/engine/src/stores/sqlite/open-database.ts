import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { RefoldError, type Durability } from '@refold/events'
import { APPLICATION_ID, formatOf, migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import { pragmaNumber } from './pragma-number.ts'
import { setAsideForeignLog } from './set-aside-foreign-log.ts'

/** The oldest SQLite without known faults in write-ahead logging. */
const OLDEST_SQLITE = '3.51.3'

/** Owner only: a log holds what people said. SQLite gives its side files the mode of the main one. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

/**
 * Pages in the WAL before they are copied into the file: four times SQLite's own number, so that pages which many appends
 * touch, those of indexes above all, are copied once for many.
 */
const WAL_PAGES = 4_000
const WAL_BYTES_KEPT = WAL_PAGES * 4096

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
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) throw new RefoldError('store-missing', { file })
  if (!stat.isFile()) throw new RefoldError('not-a-store', { file })
  if (file !== file.trim()) {
    // The driver would trim it and open another file.
    throw new RefoldError('store-failed', { file, problem: 'its name ends in white space' })
  }
  setAsideForeignLog(file)
  return new Database(file, { fileMustExist: true, timeout: 0 })
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
  assertRecentSqlite(database)
  if (isForeign(database)) throw new RefoldError('not-a-store', { file })
  database.pragma('page_size = 4096')
  const mode = String(database.pragma('journal_mode = WAL', { simple: true }))
  if (mode !== 'wal') throw new RefoldError('store-failed', { file, problem: `its journal mode stays ${mode}` })
  // Erased payloads must not survive in free pages.
  database.pragma('secure_delete = ON')
  database.pragma(`wal_autocheckpoint = ${WAL_PAGES}`)
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
  assertRecentSqlite(database)
  if (isForeign(database)) throw new RefoldError('not-a-store', { file })
  if (isEmpty(database)) throw new RefoldError('store-missing', { file })
  migrate(database, file, migrations)
  database.pragma('query_only = ON')
}

function isForeign(database: Database.Database): boolean {
  return pragmaNumber(database, 'application_id') !== APPLICATION_ID && !isEmpty(database)
}

/** As SQLite leaves a file that was opened and never written: also what a crash while creating a store leaves. */
export function isEmpty(database: Database.Database): boolean {
  return formatOf(database) === 0 && Number(database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()) === 0
}

function assertRecentSqlite(database: Database.Database): void {
  const found = String(database.prepare('SELECT sqlite_version()').pluck().get())
  if (found.localeCompare(OLDEST_SQLITE, 'en', { numeric: true }) < 0) {
    throw new RefoldError('sqlite-too-old', { found, needed: OLDEST_SQLITE })
  }
}
