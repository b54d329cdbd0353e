import { setTimeout as sleep } from 'node:timers/promises'
import { RefoldError, type AnyRecorded, type EventStore } from '@refold/events'
import type { Fold, RowReaders, TableDefinitions } from '@refold/projections'
import type { StateSnapshots } from '../deciding/state-snapshots.ts'
import type { Source } from '../source.ts'
import { identityOf } from '../stores/sqlite/file-identity.ts'
import { storeError } from '../stores/sqlite/sqlite-errors.ts'
import { pauseBefore, whenFree } from '../stores/sqlite/wait-for-lock.ts'
import { isDamage, isUnusable } from './damage.ts'
import { exclusively } from './exclusively.ts'
import { isOfLog } from './is-of-log.ts'
import { MemoryViews } from './memory-views.ts'
import { reporting } from './rebuild-report.ts'
import { storedSnapshots } from './stored-snapshots.ts'
import { Turns } from './turns.ts'
import { isSame, openViewsFile, removeViewsFile, type StoredCheckpoint, type ViewsFile } from './views-file.ts'
import type { Checkpoint, RebuildOptions, Views } from './views.ts'

export interface SqliteViewsOptions<T> {
  /** The views file, as a rule `NAME.views.db` beside the log. */
  readonly file: string
  /** Empty file whose lock orders openings and removals of the views file, as a rule `NAME.views.db-lock`. */
  readonly lockFile: string
  readonly log: EventStore
  readonly tables: TableDefinitions<T>
  readonly fold: Fold<T>
  /** See `viewShape`, hashed: a file of another shape is thrown away. */
  readonly shape: string
  readonly source: Source
  /** Milliseconds to wait for another process that holds the views and makes no progress. */
  readonly waitMs: number
  /** Events folded in one transaction. */
  readonly pageSize: number
  /** Most missing events to fold in memory, for one read, while the file cannot be brought up to date. */
  readonly mostEventsInMemory: number
  /** Called after each page that was folded into the file; what it throws ends the fold there. */
  readonly onPage?: (events: number, checkpoint: StoredCheckpoint) => void
}

/**
 * Views in a file that several processes share. Whoever reads folds what is missing; the write lock and the checkpoint under
 * it keep any event from being folded twice. A file that does not fit the log is thrown away.
 */
export class SqliteViews<T extends { readonly [N in keyof T]: object }> implements Views<T> {
  readonly snapshots: StateSnapshots
  readonly #options: SqliteViewsOptions<T>
  readonly #turns = new Turns()
  #file: ViewsFile<T> | undefined
  #opening: Promise<ViewsFile<T>> | undefined
  /** A checkpoint that was found in the log. */
  #trusted: StoredCheckpoint | undefined
  /** True after a wait in vain: the next ones do not wait again until the lock was had. */
  #isStuck = false
  #beside: MemoryViews<T> | undefined
  #closed = false

  constructor(options: SqliteViewsOptions<T>) {
    this.#options = options
    this.snapshots = storedSnapshots(() => this.#file?.database)
  }

  async read<A>(work: (rows: RowReaders<T>, checkpoint: Checkpoint) => A, upTo?: number): Promise<A> {
    const target = upTo ?? (await this.#options.log.logHead()).position
    try {
      return await this.#mended(() => this.#readStored(work, target))
    } catch (problem) {
      if (!isUnusable(problem)) throw problem
      return this.#readBeside(work, target)
    }
  }

  catchUp(upTo?: number): Promise<Checkpoint> {
    return this.#answering(async () => {
      const target = upTo ?? (await this.#options.log.logHead()).position
      return this.#mended(() => this.#caughtUp(target))
    })
  }

  rebuild(options: RebuildOptions = {}): Promise<Checkpoint> {
    return this.#answering(async () => {
      const { position } = await this.#options.log.logHead()
      const { file, lockFile } = this.#options
      const beside = new SqliteViews({
        ...this.#options,
        file: besideFile(file),
        onPage: reporting(options, position),
      })
      try {
        const rebuilt = await beside.#mended(() => beside.#caughtUp(position))
        await this.#mended(() => this.#turns.take(() => this.#takeOver(rebuilt)))
      } finally {
        await beside.close()
      }
      await exclusively(lockFile, this.#options, () => removeViewsFile(besideFile(file)))
      return this.#mended(() => this.#caughtUp(position))
    })
  }

  async scrub(): Promise<boolean> {
    await this.catchUp()
    const { file, lockFile } = this.#options
    await exclusively(lockFile, this.#options, () => removeViewsFile(besideFile(file)))
    return this.#mended(() => this.#turns.take(async () => (await this.#opened()).scrub()))
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#turns.idle()
    await this.#opening?.catch(() => undefined)
    this.#file?.close()
    this.#file = undefined
  }

  /** Opens the file if that can be done now; else whoever reads tries again. */
  async open(): Promise<void> {
    try {
      await this.#opened()
    } catch (problem) {
      if (!isUnusable(problem)) throw problem
    }
  }

  async #answering(work: () => Promise<StoredCheckpoint>): Promise<Checkpoint> {
    try {
      const { logId, position, hash } = await work()
      return { logId, position, hash }
    } catch (problem) {
      throw storeError(problem, this.#options.file)
    }
  }

  /** Does it again, once, over a new file when the old one proves damaged. */
  async #mended<A>(work: () => Promise<A>): Promise<A> {
    try {
      return await work()
    } catch (problem) {
      if (!isDamage(problem)) throw problem
      await this.#turns.take(() => this.#throwAway())
      return work()
    }
  }

  async #readStored<A>(work: (rows: RowReaders<T>, checkpoint: Checkpoint) => A, target: number): Promise<A> {
    for (;;) {
      const { position } = await this.#caughtUp(target)
      const file = await this.#opened()
      const read = await this.#whenFree(() =>
        file.read((rows, { logId, hash, ...checkpoint }) => {
          // Another process may have thrown the rows away just now.
          if (checkpoint.position < Math.min(target, position)) return undefined
          return { answer: work(rows, { logId, hash, position: checkpoint.position }) }
        }),
      )
      if (read) return read.answer
    }
  }

  /** Folds what is missing up to the target. Already there is answered without waiting for a fold that is under way. */
  async #caughtUp(target: number): Promise<StoredCheckpoint> {
    const file = await this.#opened()
    const found = await this.#whenFree(() => file.checkpoint())
    if (found && found.position >= target && (await this.#isOfLog(found))) return found
    return this.#turns.take(() => this.#foldUpTo(target))
  }

  async #foldUpTo(target: number): Promise<StoredCheckpoint> {
    const { log, pageSize, fold, shape, onPage } = this.#options
    for (;;) {
      const file = await this.#opened()
      const begun = await this.#whenFree(() => file.checkpoint())
      if (!begun || !(await this.#isOfLog(begun))) {
        const { logId } = await log.logHead()
        const reset = (): void => {
          if (isSame(file.checkpoint(), begun)) file.reset(shape, logId)
        }
        await this.#untilWritten(file, () => file.write(reset))
        continue
      }
      if (begun.position >= target) return begun
      const page = await log.readAll({ after: begun.position, limit: pageSize })
      if (page.length === 0) return begun
      const foldPage = (): void => file.fold(begun, page, fold)
      await this.#untilWritten(file, () => file.write(foldPage), { begun, missing: page.length })
      const now = file.checkpoint() ?? begun
      if (now.hash === page.at(-1)?.hash) this.#trusted = now
      onPage?.(page.length, now)
    }
  }

  async #takeOver(rebuilt: StoredCheckpoint): Promise<void> {
    const file = await this.#opened()
    await this.#untilWritten(file, () => file.takeOver(besideFile(this.#options.file), rebuilt))
  }

  async #isOfLog(checkpoint: StoredCheckpoint): Promise<boolean> {
    if (isSame(checkpoint, this.#trusted)) return true
    const { log, shape } = this.#options
    if (!(await isOfLog(checkpoint, log, shape))) return false
    this.#trusted = checkpoint
    return true
  }

  /**
   * Tries until the write lock was had, or another process moved the checkpoint from `begun`, so that the work may be
   * needless. Throws `views-behind` when none makes progress.
   */
  async #untilWritten(
    file: ViewsFile<T>,
    write: () => boolean,
    { begun, missing = 0 }: { readonly begun?: StoredCheckpoint; readonly missing?: number } = {},
  ): Promise<void> {
    const { source, waitMs } = this.#options
    const since = performance.now()
    for (let attempt = 0; !write(); attempt += 1) {
      if (begun && !isSame(await this.#whenFree(() => file.checkpoint()), begun)) return
      if (this.#isStuck || performance.now() - since >= waitMs) {
        this.#isStuck = true
        throw new RefoldError('views-behind', { missing })
      }
      await sleep(pauseBefore(attempt, source))
      this.#assertOpen()
    }
    this.#isStuck = false
  }

  /** Folds what is missing in memory only: over the rows as they are stored, or from the log's beginning. */
  async #readBeside<A>(work: (rows: RowReaders<T>, checkpoint: Checkpoint) => A, target: number): Promise<A> {
    try {
      for (;;) {
        const file = await this.#opened()
        const begun = await this.#whenFree(() => file.checkpoint())
        if (!begun || !(await this.#isOfLog(begun))) break
        const events = await this.#missing(begun.position, target)
        const { position, hash } = events.at(-1) ?? begun
        const read = await this.#whenFree(() =>
          file.readBeyond(begun, events, this.#options.fold, (rows) =>
            work(rows, { logId: begun.logId, position, hash }),
          ),
        )
        if (read) return read.answer
      }
    } catch (problem) {
      if (!isUnusable(problem) || this.#isTooMuch(problem)) throw problem
    }
    const { log, tables, fold, pageSize, mostEventsInMemory } = this.#options
    this.#beside ??= new MemoryViews({ log, tables, fold, pageSize, mostEvents: mostEventsInMemory })
    return this.#beside.read(work, target)
  }

  async #missing(after: number, target: number): Promise<readonly AnyRecorded[]> {
    if (after >= target) return []
    const { log, mostEventsInMemory } = this.#options
    const events = await log.readAll({ after, limit: mostEventsInMemory + 1 })
    if (events.length > mostEventsInMemory) throw new RefoldError('views-behind', { missing: events.length })
    return events
  }

  #isTooMuch(problem: unknown): boolean {
    return problem instanceof RefoldError && problem.code === 'views-behind'
  }

  async #throwAway(): Promise<void> {
    const { file, lockFile } = this.#options
    const damaged = this.#file?.identity
    this.#file?.close()
    this.#file = undefined
    this.#trusted = undefined
    await exclusively(lockFile, this.#options, () => {
      // Else another process threw it away already.
      if (identityOf(file)?.inode === damaged?.inode) removeViewsFile(file)
    })
  }

  /** The open file; opened anew when it was deleted or replaced. */
  async #opened(): Promise<ViewsFile<T>> {
    this.#assertOpen()
    const now = identityOf(this.#options.file)
    const opened = this.#file?.identity
    if (this.#file && now !== undefined && opened?.inode === now.inode && opened.device === now.device)
      return this.#file
    this.#opening ??= this.#reopen().finally(() => (this.#opening = undefined))
    return this.#opening
  }

  async #reopen(): Promise<ViewsFile<T>> {
    const { file, lockFile, tables } = this.#options
    this.#file?.close()
    this.#file = undefined
    this.#trusted = undefined
    this.#file = await exclusively(lockFile, this.#options, () => openViewsFile(file, tables))
    return this.#file
  }

  #whenFree<A>(work: () => A): Promise<A> {
    return whenFree(work, this.#options)
  }

  #assertOpen(): void {
    if (this.#closed) throw new RefoldError('store-closed', { file: this.#options.file })
  }
}

/** Where a rebuild folds until it is whole. */
function besideFile(file: string): string {
  return `${file}-rebuild`
}
