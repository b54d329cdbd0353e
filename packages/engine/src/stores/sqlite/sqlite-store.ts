import type { Database } from 'better-sqlite3'
import {
  RefoldError,
  type AnyRecorded,
  type Append,
  type Appended,
  type Capabilities,
  type Durability,
  type EventRef,
  type EventStore,
  type LogHead,
  type LogRange,
  type LogTransaction,
  type RawEvent,
  type StreamHead,
  type StreamRange,
  type Subscription,
  type TransactOptions,
} from '@refold/events'
import type { Source } from '../../source.ts'
import { CommitListeners } from '../commit-listeners.ts'
import { LogSubscriptions } from '../log-subscriptions.ts'
import { assertSameFile, type FileIdentity } from './file-identity.ts'
import { ForeignCommits } from './foreign-commits.ts'
import { GroupCommit } from './group-commit.ts'
import { NewerVersions } from './newer-versions.ts'
import { storeError } from './sqlite-errors.ts'
import { SqliteLog } from './sqlite-log.ts'
import { SqliteTransaction } from './sqlite-transaction.ts'
import { pauseBefore, whenFree } from './wait-for-lock.ts'

/** A file that was opened and found to be a store. */
export interface OpenedFile {
  readonly database: Database
  readonly file: string
  readonly identity: FileIdentity
  readonly isWritable: boolean
  readonly durability: Durability
  readonly logId: string
  readonly secret: string
}

export interface SqliteStoreSettings {
  readonly source: Source
  readonly waitMs: number
}

/** A log in one SQLite file, shared with other processes. Made by `openSqliteStore`. */
export class SqliteStore implements EventStore {
  readonly capabilities: Capabilities
  readonly secret: string
  /** Absolute path of the log file. */
  readonly file: string
  readonly #opened: OpenedFile
  readonly #settings: SqliteStoreSettings
  readonly #log: SqliteLog
  readonly #commits: CommitListeners
  readonly #group: GroupCommit<LogTransaction>
  readonly #foreign: ForeignCommits
  readonly #subscriptions = new LogSubscriptions(this)
  #closing: Promise<void> | undefined

  constructor(opened: OpenedFile, settings: SqliteStoreSettings) {
    const { database, file, durability } = opened
    const { source, waitMs } = settings
    this.#opened = opened
    this.#settings = settings
    this.file = file
    this.secret = opened.secret
    this.capabilities = {
      atomicOverStreams: true,
      uniqueEventIds: true,
      transactions: true,
      erase: true,
      durability,
    }
    const transaction = new SqliteTransaction(database, {
      file,
      identity: opened.identity,
      newerVersions: new NewerVersions(database, file),
      openLog: (beforeWriting) => new SqliteLog(database, { file, source, durability, beforeWriting }),
    })
    this.#log = transaction.log
    this.#group = new GroupCommit<LogTransaction>(transaction, {
      waitMs,
      pauseBefore: (attempt) => pauseBefore(attempt, source),
      busy: (waitedMs) => new RefoldError('store-busy', { file, waitedMs }),
      onCommit: () => this.#commits.notify(),
    })
    this.#commits = new CommitListeners({
      arrives: () => this.#foreign.start(),
      leaves: () => this.#foreign.stop(),
    })
    const dataVersion = database.prepare<[], number>('PRAGMA data_version').pluck()
    this.#foreign = new ForeignCommits(
      file,
      () => dataVersion.get() ?? 0,
      () => this.#commits.notify(),
    )
  }

  async append(append: Append): Promise<Appended> {
    this.#assertWritable()
    return this.#group.submit((log) => log.append(append), { failsLate: false })
  }

  async transact<T>(work: (log: LogTransaction) => T, options?: TransactOptions): Promise<T> {
    this.#assertWritable()
    return this.#group.submit(work, options)
  }

  async head(stream: string): Promise<StreamHead | undefined> {
    return this.#look((log) => log.head(stream))
  }

  async logHead(): Promise<LogHead> {
    return { logId: this.#opened.logId, ...(await this.#look((log) => log.last())) }
  }

  async readStream(stream: string, range: StreamRange): Promise<readonly AnyRecorded[]> {
    return this.#look((log) => log.read(stream, range))
  }

  async readAll(range: LogRange): Promise<readonly AnyRecorded[]> {
    return this.#look((log) => log.readAll(range))
  }

  async readEvents(refs: readonly EventRef[]): Promise<readonly (AnyRecorded | undefined)[]> {
    return this.#look((log) => refs.map((ref) => log.event(ref)))
  }

  async find(stream: string, eventId: string): Promise<AnyRecorded | undefined> {
    return this.#look((log) => log.find(stream, eventId))
  }

  async blob(hash: string): Promise<Uint8Array | undefined> {
    return this.#look((log) => log.blob(hash))
  }

  async blobHashes(): Promise<readonly string[]> {
    return this.#look((log) => log.blobHashes())
  }

  async readRaw(stream: string, range: StreamRange): Promise<readonly RawEvent[]> {
    return this.#look((log) => log.readRaw(stream, range))
  }

  async readLogRaw(range: LogRange): Promise<readonly RawEvent[]> {
    return this.#look((log) => log.readLogRaw(range))
  }

  onCommit(listener: () => void): () => void {
    this.#assertOpen()
    return this.#commits.listen(listener)
  }

  subscribe(from: { readonly after: number }): Subscription {
    this.#assertOpen()
    return this.#subscriptions.begin(from)
  }

  /**
   * Carries all changes into the file and empties the WAL, so that nothing of what was erased is left in either. False
   * while another process still reads from the WAL; try again later.
   */
  async clean(): Promise<boolean> {
    this.#assertOpen()
    await this.#group.drained()
    return this.#look(() => this.#opened.database.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0)
  }

  /** Answers what was already asked for, ends the subscriptions and lets go of the file. Safe to call twice. */
  async close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#group.drained()
    await this.#subscriptions.close()
    this.#foreign.stop()
    this.#opened.database.close()
  }

  /** Reads see what is committed and wait for nobody, but for the moments in which another process opens or leaves the file. */
  async #look<T>(read: (log: SqliteLog) => T): Promise<T> {
    this.#assertOpen()
    const { database, file, identity } = this.#opened
    if (database.inTransaction) await new Promise((resolve) => setImmediate(resolve))
    try {
      return await whenFree(
        () => {
          assertSameFile(file, identity)
          return read(this.#log)
        },
        { file, ...this.#settings },
      )
    } catch (problem) {
      if (!database.open) this.#assertOpen()
      throw storeError(problem, file)
    }
  }

  #assertWritable(): void {
    this.#assertOpen()
    if (!this.#opened.isWritable) throw new RefoldError('store-readonly', { file: this.file })
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new RefoldError('store-closed', { file: this.file })
  }
}
