import { resolve } from 'node:path'
import type { Database } from 'better-sqlite3'
import { RefoldError } from '@refold/events'
import type { Source } from '../../source.ts'
import { systemSource } from '../../system-source.ts'
import { hex } from '../hex.ts'
import { identityOf } from './file-identity.ts'
import { assertWritable, createFile, isEmpty, openFile, prepareForReading, prepareForWriting } from './open-database.ts'
import { storeError } from './sqlite-errors.ts'
import { SqliteStore, type OpenedFile } from './sqlite-store.ts'
import { whenFree } from './wait-for-lock.ts'

export interface OpenSqliteStoreOptions {
  /** Path of the log file; SQLite keeps `-wal` and `-shm` beside it while it is open. */
  readonly file: string
  /** `write`: only a store that is there; `create` (the default): makes it and its folder if need be; `read`: changes nothing. */
  readonly access?: 'create' | 'write' | 'read'
  /** What an acknowledged append survives: a power cut (`disk`, the default) or the end of the process (`system`). */
  readonly durability?: 'disk' | 'system'
  /** Longest wait for other processes before `store-busy`, in milliseconds; 5,000 where absent. */
  readonly waitMs?: number
  readonly source?: Source
}

/**
 * Opens the log in a file. Throws `store-missing`, `not-a-store`, `store-newer`, `store-damaged`, `store-readonly`,
 * `store-full`, `store-busy`, `sqlite-too-old` or `store-failed`.
 *
 * A process must not open and close the file by other means while a store has it open: that would drop SQLite's locks.
 */
export async function openSqliteStore(options: OpenSqliteStoreOptions): Promise<SqliteStore> {
  const { access = 'create', waitMs = 5_000, source = systemSource } = options
  const file = resolve(options.file)
  const waiting = { file, waitMs, source }
  try {
    if (access === 'create') createFile(file)
    const opened = await (access === 'read' ? openForReading(file, waiting) : openForWriting(file, options, waiting))
    return await whenFree(() => new SqliteStore(opened, { source, waitMs }), waiting)
  } catch (problem) {
    throw storeError(problem, file)
  }
}

type Waiting = Parameters<typeof whenFree>[1]

async function openForWriting(
  file: string,
  { access, durability: wanted = 'disk' }: OpenSqliteStoreOptions,
  waiting: Waiting,
): Promise<OpenedFile> {
  const database = openFile(file)
  try {
    assertWritable(file)
    // Only who may make a store makes one of an empty file.
    if (access === 'write' && (await whenFree(() => isEmpty(database), waiting)))
      throw new RefoldError('not-a-store', { file })
    const durability = await whenFree(() => prepareForWriting(database, file, wanted), waiting)
    const names = await whenFree(() => nameLog(database, waiting), waiting)
    return { database, file, identity: identify(file), isWritable: true, durability, ...names }
  } catch (problem) {
    database.close()
    throw problem
  }
}

/** Needs no right to write, as long as SQLite finds its side files or may make them: a writer has them open. */
async function openForReading(file: string, waiting: Waiting): Promise<OpenedFile> {
  const database = openFile(file)
  try {
    await whenFree(() => prepareForReading(database, file), waiting)
    const names = await whenFree(() => readNames(database, file), waiting)
    return { database, file, identity: identify(file), isWritable: false, durability: 'disk', ...names }
  } catch (problem) {
    database.close()
    throw problem
  }
}

function identify(file: string): OpenedFile['identity'] {
  const identity = identityOf(file)
  if (identity === undefined) throw new RefoldError('store-replaced', { file })
  return identity
}

type LogNames = Pick<OpenedFile, 'logId' | 'secret'>

/** Gives a new log its name and secret, once, whoever comes first. */
function nameLog(database: Database, { file, source }: Waiting): LogNames {
  const known = findNames(database)
  if (known !== undefined) return known
  const name = { logId: hex(source.random(16)), secret: hex(source.random(32)) }
  database
    .prepare('INSERT INTO log (log_id, secret) SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM log)')
    .run(name.logId, name.secret)
  return readNames(database, file)
}

function readNames(database: Database, file: string): LogNames {
  const names = findNames(database)
  if (names === undefined) throw new RefoldError('store-missing', { file })
  return names
}

function findNames(database: Database): LogNames | undefined {
  const row = database.prepare<[], [string, string]>('SELECT log_id, secret FROM log').raw().get()
  return row && { logId: row[0], secret: row[1] }
}
