import { existsSync, rmSync } from 'node:fs'
import Database, { type Statement } from 'better-sqlite3'
import { CHAIN_START, type AnyRecorded } from '@refold/events'
import type { Fold, RowReaders, TableDefinitions } from '@refold/projections'
import { identityOf, type FileIdentity } from '../stores/sqlite/file-identity.ts'
import { createFile } from '../stores/sqlite/open-database.ts'
import { isBusy } from '../stores/sqlite/sqlite-errors.ts'
import { isDamage } from './damage.ts'
import { storedRows, type StoredRows } from './stored-rows.ts'
import { quoted } from './table-schema.ts'
import { viewSchema } from './view-schema.ts'
import type { Checkpoint } from './views.ts'

/** A checkpoint with what tells whether it can be trusted. */
export interface StoredCheckpoint extends Checkpoint {
  /** See `viewShape`, hashed. */
  readonly shape: string
  /** Rises each time the rows are thrown away. */
  readonly generation: number
  /** Where the last folded event stands in its stream; null for none. */
  readonly stream: string | null
  readonly revision: number | null
}

/**
 * Keys of one table that the unit of work may hold between two pages: the rows of busy sessions stay, the entries of a long
 * fold, which hardly anything comes back to, go.
 */
const MOST_HELD = 2_000
const WAL_BYTES_KEPT = 16 * 1024 * 1024
const CACHE_KIB = 16 * 1024

const CHECKPOINT = `SELECT log_id AS logId, position, hash, shape, generation, stream, revision FROM checkpoint`

/** One opening of a views file. All calls answer at once; those that write want `begin` before them. */
export class ViewsFile<T extends { readonly [N in keyof T]: object }> {
  readonly identity: FileIdentity | undefined
  readonly database: Database.Database
  readonly #tables: TableDefinitions<T>
  readonly #statements: Readonly<Record<'begin' | 'beginImmediate' | 'commit' | 'rollback' | 'hasTables', Statement>>
  #checkpoint: Statement<[], StoredCheckpoint> | undefined
  #moveCheckpoint: Statement | undefined
  #stored: StoredRows<T> | undefined
  #generation = 0
  /** The checkpoint at which the unit of work's rows hold. */
  #heldAt: StoredCheckpoint | undefined

  constructor(file: string, tables: TableDefinitions<T>) {
    this.#tables = tables
    this.database = new Database(file, { fileMustExist: true, timeout: 0 })
    try {
      prepareFile(this.database)
      this.identity = identityOf(file)
      this.#statements = {
        begin: this.database.prepare('BEGIN'),
        beginImmediate: this.database.prepare('BEGIN IMMEDIATE'),
        commit: this.database.prepare('COMMIT'),
        rollback: this.database.prepare('ROLLBACK'),
        hasTables: this.database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'checkpoint'`),
      }
    } catch (problem) {
      this.database.close()
      throw problem
    }
  }

  /** Undefined for a file without tables, or one whose rows were thrown away by half. */
  checkpoint(): StoredCheckpoint | undefined {
    if (!this.#checkpoint) {
      if (!this.#statements.hasTables.get()) return undefined
      this.#checkpoint = this.database.prepare<[], StoredCheckpoint>(CHECKPOINT)
    }
    const found = this.#checkpoint.get()
    if (found && found.generation !== this.#generation) {
      this.#forget()
      this.#generation = found.generation
    }
    return found
  }

  /** Runs `work` in one write transaction; false, and nothing done, while another process writes. */
  write(work: () => void): boolean {
    try {
      this.#statements.beginImmediate.run()
    } catch (problem) {
      if (isBusy(problem)) return false
      throw problem
    }
    try {
      work()
      this.#statements.commit.run()
    } catch (problem) {
      if (this.database.inTransaction) this.#statements.rollback.run()
      this.#forget()
      throw problem
    }
    return true
  }

  /** Throws all rows away; within `write`. */
  reset(shape: string, logId: string): void {
    const generation = (this.checkpoint()?.generation ?? 0) + 1
    const names = this.database
      .prepare<[], string>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
      )
      .pluck()
      .all()
    for (const name of names) this.database.exec(`DROP TABLE ${quoted(name)}`)
    for (const statement of viewSchema(this.#tables)) this.database.exec(statement)
    this.database
      .prepare(`INSERT INTO checkpoint (id, shape, generation, log_id, position, hash) VALUES (1, ?, ?, ?, 0, ?)`)
      .run(shape, BigInt(generation), logId, CHAIN_START)
    const begun = this.checkpoint()
    this.#rows().startEmpty()
    this.#heldAt = begun
  }

  /**
   * Replaces all rows by those of another views file of the same shape, in one write transaction; false, and nothing done,
   * while another process writes.
   */
  takeOver(file: string, from: StoredCheckpoint): boolean {
    this.database.prepare('ATTACH ? AS other').run(file)
    try {
      return this.write(() => {
        this.reset(from.shape, from.logId)
        for (const name of ['stream_names', ...Object.keys(this.#tables)])
          this.database.exec(`INSERT INTO main.${quoted(name)} SELECT * FROM other.${quoted(name)}`)
        this.#setCheckpoint(from)
        this.#forget()
      })
    } finally {
      this.database.exec('DETACH other')
    }
  }

  /** Folds events that follow the checkpoint `begun`; within `write`. Does nothing when another process was faster. */
  fold(begun: StoredCheckpoint, events: readonly AnyRecorded[], fold: Fold<T>): void {
    const last = events.at(-1)
    if (!last || !isSame(this.checkpoint(), begun)) return
    const stored = this.#rows()
    const isOurs = isSame(this.#heldAt, begun)
    if (!isOurs) {
      stored.drop()
      stored.doubt()
    }
    for (const event of events) fold(event, stored.rows)
    stored.flush()
    stored.shrink(MOST_HELD)
    const { stream, revision, position, hash } = last
    this.#setCheckpoint(last)
    this.#heldAt = { ...begun, stream, revision, position, hash }
  }

  /** Runs `work` over what one moment's readers see. */
  read<A>(work: (rows: RowReaders<T>, checkpoint: StoredCheckpoint) => A): A | undefined {
    return this.#reading((checkpoint) => work(this.#rows().readers, checkpoint))
  }

  /**
   * Runs `work` over the rows with these events folded, none of which is kept. Undefined, and nothing done, when the
   * checkpoint is not `begun` any more.
   */
  readBeyond<A>(
    begun: StoredCheckpoint,
    events: readonly AnyRecorded[],
    fold: Fold<T>,
    work: (rows: RowReaders<T>) => A,
  ): { readonly answer: A } | undefined {
    return this.#reading((checkpoint) => {
      if (!isSame(checkpoint, begun)) return undefined
      const { rows, drop, doubt } = this.#rows()
      this.#heldAt = undefined
      drop()
      doubt()
      try {
        for (const event of events) fold(event, rows)
        return { answer: work(rows) }
      } finally {
        drop()
      }
    })
  }

  /** Deletes the decider states and empties SQLite's side log; false while another process reads or writes. */
  scrub(): boolean {
    if (!this.write(() => this.database.exec('DELETE FROM session_states'))) return false
    const [result] = this.database.prepare<[], [busy: number]>('PRAGMA wal_checkpoint(TRUNCATE)').raw().all()
    return result?.[0] === 0
  }

  close(): void {
    this.database.close()
  }

  #reading<A>(work: (checkpoint: StoredCheckpoint) => A): A | undefined {
    this.#statements.begin.run()
    try {
      const checkpoint = this.checkpoint()
      return checkpoint && work(checkpoint)
    } finally {
      if (this.database.inTransaction) this.#statements.commit.run()
    }
  }

  #setCheckpoint({ position, hash, stream, revision }: Omit<StoredCheckpoint, 'logId' | 'shape' | 'generation'>): void {
    this.#moveCheckpoint ??= this.database.prepare(
      `UPDATE main.checkpoint SET position = ?, hash = ?, stream = ?, revision = ?`,
    )
    this.#moveCheckpoint.run(BigInt(position), hash, stream, revision === null ? null : BigInt(revision))
  }

  #rows(): StoredRows<T> {
    this.#stored ??= storedRows(this.database, this.#tables)
    return this.#stored
  }

  #forget(): void {
    this.#heldAt = undefined
    this.#stored?.drop()
    this.#stored?.doubt()
    this.#stored?.forgetStreams()
  }
}

export function isSame(a: StoredCheckpoint | undefined, b: StoredCheckpoint | undefined): boolean {
  return a?.generation === b?.generation && a?.position === b?.position && a?.hash === b?.hash && a?.shape === b?.shape
}

/** Opens the file, made if it is not there and made anew if it is no database. To be called `exclusively`. */
export function openViewsFile<T extends { readonly [N in keyof T]: object }>(
  file: string,
  tables: TableDefinitions<T>,
): ViewsFile<T> {
  if (!existsSync(file)) removeViewsFile(file)
  createFile(file)
  try {
    return new ViewsFile(file, tables)
  } catch (problem) {
    if (!isDamage(problem)) throw problem
    removeViewsFile(file)
    createFile(file)
    return new ViewsFile(file, tables)
  }
}

/** Side files first: one that outlived its database would be taken for the next one's. To be called `exclusively`. */
export function removeViewsFile(file: string): void {
  for (const name of [`${file}-shm`, `${file}-wal`, file]) rmSync(name, { force: true })
}

function prepareFile(database: Database.Database): void {
  database.pragma('journal_mode = WAL')
  // Losing the last commits in a power cut costs folding them again. Also read back: better-sqlite3 has its own defaults.
  database.pragma('synchronous = NORMAL')
  // What is erased from the log must not live on in free pages here.
  database.pragma('secure_delete = ON')
  database.pragma(`journal_size_limit = ${WAL_BYTES_KEPT}`)
  database.pragma(`cache_size = -${CACHE_KIB}`)
}
