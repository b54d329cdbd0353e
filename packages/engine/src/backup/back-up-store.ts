import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type Database from 'better-sqlite3'
import { RefoldError } from '@refold/events'
import { verifyStore } from '../integrity/verify-store.ts'
import type { VerifyReport } from '../integrity/verify-report.ts'
import { isFileOfStore } from '../stores/sqlite/is-file-of-store.ts'
import { createFile, openFile, prepareForReading } from '../stores/sqlite/open-database.ts'
import { openSqliteStore } from '../stores/sqlite/open-sqlite-store.ts'
import { storeError } from '../stores/sqlite/sqlite-errors.ts'
import { systemSource } from '../system-source.ts'

/** Pages of 4 KiB copied between two looks at progress and signal. */
const PAGES_AT_ONCE = 2_000

export interface BackupProgress {
  /** Pages copied; then events verified. */
  readonly stage: 'copy' | 'verify'
  readonly done: number
  readonly total: number
}

export interface BackupOptions {
  /** Replaces a file that is there. */
  readonly overwrite?: boolean
  readonly onProgress?: (progress: BackupProgress) => void
  readonly signal?: AbortSignal
}

export interface Backup extends Pick<VerifyReport, 'streams' | 'events' | 'blobs'> {
  readonly file: string
  readonly bytes: number
}

/**
 * Copies a store's log into another file as of one moment, while others go on writing, and verifies the copy: its pages,
 * its chain and its blobs. The file appears when it is whole and on disk; `exists` where there is one that may not be
 * replaced. Views are not copied, for they fold from the log. Throws what opening throws, `store-damaged` where the copy does
 * not verify, `store-full`, `store-failed` where the file is the store's own or cannot be made, and the signal's reason.
 */
export async function backUpStore(from: string, to: string, options: BackupOptions = {}): Promise<Backup | 'exists'> {
  const { overwrite = false, signal } = options
  const [source, target] = [resolve(from), resolve(to)]
  if (!overwrite && existsSync(target)) return 'exists'
  if (isFileOfStore(source, target))
    throw new RefoldError('store-failed', { file: target, problem: 'it is a file of the very store to be copied' })
  const partial = `${target}.${process.pid}.partial`
  try {
    await copyLog(source, partial, options)
    const report = await verifyCopy(source, partial, options)
    signal?.throwIfAborted()
    await sync(partial, 'r+')
    if (!giveName(partial, target, overwrite)) return 'exists'
    await sync(dirname(target), 'r').catch(() => undefined) // not every system opens folders
    const { streams, events, blobs } = report
    return { file: target, bytes: statSync(target).size, streams, events, blobs }
  } catch (problem) {
    throw signal?.aborted === true ? problem : storeError(problem, source)
  } finally {
    for (const name of [`${partial}-shm`, `${partial}-wal`, `${partial}-journal`, partial])
      if (existsSync(name)) rmSync(name, { force: true }) // else it may throw, where there is no such folder
  }
}

async function copyLog(source: string, partial: string, { onProgress, signal }: BackupOptions): Promise<void> {
  const database = openFile(source)
  try {
    prepareForReading(database, source)
    makeFile(partial)
    // One moment for the whole copy: else it would begin anew with each commit of another process.
    database.exec('BEGIN')
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    await database.backup(partial, {
      progress: ({ totalPages, remainingPages }) => {
        signal?.throwIfAborted()
        onProgress?.({ stage: 'copy', done: totalPages - remainingPages, total: totalPages })
        return PAGES_AT_ONCE
      },
    })
  } finally {
    database.close()
  }
}

/** What goes wrong here is not the source's fault. */
function makeFile(partial: string): void {
  try {
    createFile(partial)
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new RefoldError('store-failed', { file: partial, problem }, { cause })
  }
}

async function verifyCopy(
  source: string,
  partial: string,
  { onProgress, signal }: BackupOptions,
): Promise<VerifyReport> {
  const database = openFile(partial)
  try {
    // A copy in one file, which can be read from where nothing may be written.
    database.pragma('journal_mode = DELETE')
    const problem = pageProblem(database)
    if (problem !== undefined) throw new RefoldError('store-damaged', { file: source, problem })
  } finally {
    database.close()
  }
  const store = await openSqliteStore({ file: partial, access: 'read' })
  try {
    const report = await verifyStore(store, systemSource.sha256, {
      ...(signal && { signal }),
      onProgress: ({ done, total }) => onProgress?.({ stage: 'verify', done, total }),
    })
    if (report.firstBreak === null) return report
    const { stream, revision, problem } = report.firstBreak
    throw new RefoldError('store-damaged', { file: source, problem: `${problem} at revision ${revision} of ${stream}` })
  } finally {
    await store.close()
  }
}

function pageProblem(database: Database.Database): string | undefined {
  const [first] = database.prepare<[], string>('PRAGMA integrity_check(1)').pluck().all()
  return first === 'ok' ? undefined : (first ?? 'SQLite does not say how it is')
}

/** A rename would replace what is there without asking. */
function giveName(partial: string, target: string, overwrite: boolean): boolean {
  if (overwrite) renameSync(partial, target)
  else {
    try {
      linkSync(partial, target)
    } catch (problem) {
      if (existsSync(target)) return false
      throw problem
    }
  }
  return true
}

async function sync(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
