import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { isRefoldError, type EventStore } from '@refold/events'
import { projections, tables, tablesOf, type Rows, type Tables } from '@refold/projections'
import { encodeState, STATE_VERSION } from '../deciding/state-snapshot.ts'
import type { SessionState } from '../deciding/session-state.ts'
import type { Source } from '../source.ts'
import { Interned } from '../stores/sqlite/interned.ts'
import { viewStreams } from '../views/column-codec.ts'
import { isDamage } from '../views/damage.ts'
import { isOfLog } from '../views/is-of-log.ts'
import { StoredTable } from '../views/stored-table.ts'
import { viewShape } from '../views/view-schema.ts'
import type { StoredCheckpoint } from '../views/views-file.ts'
import { compareRows } from './compare-rows.ts'
import { finding, type Finding } from './finding.ts'

const CHECKPOINT = 'SELECT log_id AS logId, position, hash, shape, generation, stream, revision FROM checkpoint'

interface Snapshot {
  readonly stream: string
  readonly revision: number
  readonly hash: string
  readonly state: string
}

/** A views file as it lies there, at one moment: nothing of it is mended or changed. */
export class StoredViews {
  readonly checkpoint: StoredCheckpoint
  readonly #database: Database.Database
  readonly #snapshots: ReadonlyMap<string, Snapshot>

  private constructor(database: Database.Database, checkpoint: StoredCheckpoint) {
    this.#database = database
    this.checkpoint = checkpoint
    const snapshots = database
      .prepare<[bigint], Snapshot>('SELECT stream, revision, hash, state FROM session_states WHERE version = ?')
      .all(BigInt(STATE_VERSION))
    this.#snapshots = new Map(snapshots.map((snapshot) => [snapshot.stream, snapshot]))
  }

  /** Undefined where there are no views yet. A finding where the file is of no use for this log. */
  static async open(file: string, log: EventStore, source: Source): Promise<StoredViews | Finding | undefined> {
    if (!existsSync(file)) return undefined
    let database: Database.Database | undefined
    try {
      database = new Database(file, { readonly: true })
      database.exec('BEGIN')
      const [first] = database.prepare<[], string>('PRAGMA integrity_check(1)').pluck().all()
      if (first !== 'ok') return unreadable(file, first ?? 'SQLite says nothing')
      if (!database.prepare('SELECT 1 FROM sqlite_schema').get()) return undefined
      const checkpoint = database.prepare<[], StoredCheckpoint>(CHECKPOINT).get()
      if (!checkpoint) return unreadable(file, 'it does not say up to where it goes')
      if (!(await isOfLog(checkpoint, log, source.sha256(viewShape(tablesOf(projections), projections)))))
        return finding('views-foreign', `${file}:`, { file })
      const views = new StoredViews(database, checkpoint)
      database = undefined
      return views
    } catch (problem) {
      // Whether they fit a log that cannot be read cannot be said, and the log is told of anyway.
      if (isRefoldError(problem, 'store-damaged')) return undefined
      if (!isDamage(problem)) throw problem
      return unreadable(file, problem instanceof Error ? problem.message : String(problem))
    } finally {
      database?.close()
    }
  }

  /** Whether a state that commands would start from is what the log says. */
  stateProblem(stream: string, state: SessionState, hash: string): Finding | undefined {
    const stored = this.#snapshots.get(stream)
    // One that names another event is not used.
    if (!stored || stored.revision !== state.revision || stored.hash !== hash) return undefined
    if (isSame(stored.state, state)) return undefined
    const { revision } = state
    return finding('state-different', `The state of ${stream} at revision ${revision}:`, { stream, revision })
  }

  /** Every row against the folded ones; `null` now and then, to let others work. */
  *drift(rows: Rows<Tables>): IterableIterator<Finding | null> {
    try {
      yield* this.#compared(tables, rows)
    } catch (problem) {
      if (!isDamage(problem)) throw problem
      yield unreadable(this.#database.name, problem instanceof Error ? problem.message : String(problem))
    }
  }

  close(): void {
    this.#database.close()
  }

  *#compared<T extends { readonly [N in keyof T]: object }>(
    definitions: { readonly [N in keyof T]: Parameters<typeof compareRows<T[N]>>[0] },
    rows: Rows<T>,
  ): IterableIterator<Finding | null> {
    const streams = new Interned(this.#database, viewStreams)
    for (const name in definitions) {
      const stored = new StoredTable(this.#database, definitions[name], streams)
      yield* compareRows(definitions[name], stored, rows[name])
    }
  }
}

/** As text, for both were written by the same code. */
function isSame(stored: string, state: SessionState): boolean {
  return stored === JSON.stringify(encodeState(state))
}

function unreadable(file: string, problem: string): Finding {
  return finding('views-unreadable', `${file} (${problem}):`, { file })
}
