import Database, { type Statement } from 'better-sqlite3'
import { RefoldError, type LogTransaction } from '@refold/events'
import { workScope } from '../work-scope.ts'
import { assertSameFile, type FileIdentity } from './file-identity.ts'
import type { GroupTransaction } from './group-commit.ts'
import type { NewerVersions } from './newer-versions.ts'
import { isBusy, storeError } from './sqlite-errors.ts'
import type { SqliteLog } from './sqlite-log.ts'

export interface SqliteTransactionOptions {
  readonly file: string
  readonly identity: FileIdentity
  readonly newerVersions: NewerVersions
  /** Makes the log; it says so before it writes. */
  readonly openLog: (beforeWriting: () => void) => SqliteLog
}

/**
 * A write transaction in which pieces of work run one after another. A piece gets its savepoint when it first writes, so
 * one that only reads costs none. Nor does one that is alone, or that fails before it writes if at all: for SQLite copies
 * each page that changes under a savepoint, which makes it a sixth of a lonely append. An error of SQLite's own in the
 * midst of a write spoils the whole group, even if the piece that met it goes on as if nothing had been; so does any other
 * once something is written that no savepoint can take back.
 */
export class SqliteTransaction implements GroupTransaction<LogTransaction> {
  readonly log: SqliteLog
  readonly #database: Database.Database
  readonly #options: SqliteTransactionOptions
  readonly #statements: Record<'begin' | 'commit' | 'rollback' | 'save' | 'undo' | 'release', Statement> & {
    readonly dataVersion: Statement<[], number>
  }
  readonly #watched: LogTransaction
  /** What the current piece did: nothing to take back, something that its savepoint or only the whole group can. */
  #piece: 'clean' | 'saved' | 'written' = 'clean'
  #needsSavepoint = true
  #wrote = false
  /** Changes whenever another connection commits. */
  #version = 0
  #spoiled: { readonly by: unknown } | undefined

  constructor(database: Database.Database, options: SqliteTransactionOptions) {
    this.#database = database
    this.#options = options
    this.#statements = {
      begin: database.prepare('BEGIN IMMEDIATE'),
      commit: database.prepare('COMMIT'),
      rollback: database.prepare('ROLLBACK'),
      save: database.prepare('SAVEPOINT piece'),
      undo: database.prepare('ROLLBACK TO piece'),
      release: database.prepare('RELEASE piece'),
      dataVersion: database.prepare<[], number>('PRAGMA data_version').pluck(),
    }
    this.log = options.openLog(() => this.#save())
    this.#watched = this.#watch(this.log)
  }

  begin(): boolean {
    const { file, identity, newerVersions } = this.#options
    assertSameFile(file, identity)
    try {
      this.#statements.begin.run()
    } catch (problem) {
      if (isBusy(problem)) return false
      throw storeError(problem, file)
    }
    this.#wrote = false
    this.#spoiled = undefined
    try {
      newerVersions.refuse()
    } catch (problem) {
      this.abandon()
      throw storeError(problem, file)
    }
    const version = this.#statements.dataVersion.get() ?? 0
    this.log.begin(version === this.#version)
    this.#version = version
    return true
  }

  open(needsSavepoint: boolean): { readonly log: LogTransaction; readonly end: () => void } {
    this.#needsSavepoint = needsSavepoint
    const scope = workScope(this.#watched)
    return {
      log: scope.log,
      end: () => {
        scope.end()
        if (this.#piece === 'saved' && this.#spoiled === undefined) this.#statements.release.run()
        this.#piece = 'clean'
      },
    }
  }

  undoPiece(problem: unknown): void {
    if (this.#piece === 'clean' || this.#spoiled !== undefined) return
    if (this.#piece === 'written') {
      this.#spoiled = { by: problem }
      return
    }
    this.#statements.undo.run()
    this.log.forget()
  }

  commit(): boolean {
    try {
      if (this.#spoiled !== undefined) throw this.#spoiled.by
      this.#statements.commit.run()
      this.log.end()
      return this.#wrote
    } catch (problem) {
      throw commitError(problem, this.#options.file)
    }
  }

  abandon(): void {
    this.log.forget()
    this.log.end()
    this.#piece = 'clean'
    // SQLite rolls back by itself after some errors.
    if (this.#database.inTransaction) this.#statements.rollback.run()
  }

  #save(): void {
    if (this.#piece !== 'clean') return
    if (this.#needsSavepoint) this.#statements.save.run()
    this.#piece = this.#needsSavepoint ? 'saved' : 'written'
    this.#wrote = true
  }

  /** The log, whose errors are kept and translated. */
  #watch(log: SqliteLog): LogTransaction {
    const watch =
      <A extends readonly unknown[], R>(call: (...given: A) => R) =>
      (...given: A): R => {
        if (this.#spoiled !== undefined) throw storeError(this.#spoiled.by, this.#options.file)
        try {
          return call(...given)
        } catch (problem) {
          if (problem instanceof Database.SqliteError) this.#spoiled = { by: problem }
          throw storeError(problem, this.#options.file)
        }
      }
    return {
      head: watch((stream) => log.head(stream)),
      read: watch((stream, range) => log.read(stream, range)),
      find: watch((stream, id) => log.find(stream, id)),
      blob: watch((hash) => log.blob(hash)),
      readLogRaw: watch((range) => log.readLogRaw(range)),
      append: watch((append) => log.append(append)),
      appendRecorded: watch((append) => log.appendRecorded(append)),
      erase: watch((event, masked, salt) => log.erase(event, masked, salt)),
      eraseBlob: watch((hash) => log.eraseBlob(hash)),
    }
  }
}

/** A disk that fails in the midst of a commit leaves open whether the next opening finds it whole. */
function commitError(problem: unknown, file: string): unknown {
  if (!(problem instanceof Database.SqliteError)) return problem // that of a piece which the whole group had to undo
  const isFailedDisk = problem.code.startsWith('SQLITE_IOERR')
  const error = storeError(problem, file)
  return isFailedDisk && error instanceof RefoldError && error.code === 'store-failed'
    ? new RefoldError('outcome-unknown', { streams: [file] }, { cause: error })
    : error
}
