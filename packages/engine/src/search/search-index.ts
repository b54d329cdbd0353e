import { existsSync, renameSync } from 'node:fs'
import { setImmediate as othersTurn, setTimeout as sleep } from 'node:timers/promises'
import { isRefoldError, RefoldError, type EventStore } from '@refold/events'
import type { Source } from '../source.ts'
import { identityOf } from '../stores/sqlite/file-identity.ts'
import { createFile } from '../stores/sqlite/open-database.ts'
import { storeError } from '../stores/sqlite/sqlite-errors.ts'
import { pauseBefore, whenFree } from '../stores/sqlite/wait-for-lock.ts'
import { isDamage } from '../views/damage.ts'
import { exclusively } from '../views/exclusively.ts'
import { isOfLog } from '../views/is-of-log.ts'
import { Turns } from '../views/turns.ts'
import { isSame, removeViewsFile } from '../views/views-file.ts'
import type { RebuildProgress } from '../views/views.ts'
import { checkIndex, type SearchState } from './check-index.ts'
import { harvestOf } from './harvest.ts'
import { SearchFile, type SearchCheckpoint } from './search-file.ts'
import { SEARCH_SHAPE } from './search-schema.ts'

export interface SearchIndexOptions {
  readonly log: EventStore
  readonly source: Source
  /** The index, as a rule `NAME.search.db` beside the log; in memory where absent. */
  readonly file?: string
  /** Empty file whose lock orders openings and removals. Absent: the index's name with `-lock`. */
  readonly lockFile?: string
  /** Milliseconds to wait for another process that holds the index and makes no progress. Absent: 2 s. */
  readonly waitMs?: number
  /** Events taken in by one transaction. Absent: 1,000. */
  readonly pageSize?: number
}

export interface IndexingOptions {
  /** Called after each page. */
  readonly onProgress?: (progress: RebuildProgress) => void
  readonly signal?: AbortSignal
}

/** Most missing events to take in before a cleaning; with more, throwing the index away is the shorter way. */
const MOST_BEFORE_CLEANING = 20_000
/** Commits within this time are taken in together by an index that follows. */
const FOLLOW_MS = 300

/**
 * The words of a log, in a file that several processes share. Nothing happens before somebody searches: then what is missing
 * is taken in. As with the views, the write lock and the checkpoint under it keep any event from being taken in twice, and a
 * file that does not fit the log, or is damaged, is made anew.
 */
export class SearchIndex {
  readonly #log: EventStore
  readonly #source: Source
  readonly #path: string | undefined
  readonly #lockFile: string
  readonly #waitMs: number
  readonly #pageSize: number
  readonly #shape: string
  readonly #turns = new Turns()
  #file: SearchFile | undefined
  #opening: Promise<SearchFile> | undefined
  /** A checkpoint that was found in the log. */
  #trusted: SearchCheckpoint | undefined
  readonly #following = new Set<() => void>()
  /** Where no file can be written. */
  #beside: SearchIndex | undefined
  #closed = false

  constructor({ log, source, file, lockFile, waitMs = 2_000, pageSize = 1_000 }: SearchIndexOptions) {
    this.#log = log
    this.#source = source
    this.#path = file
    this.#lockFile = lockFile ?? `${file ?? ''}-lock`
    this.#waitMs = waitMs
    this.#pageSize = pageSize
    this.#shape = source.sha256(SEARCH_SHAPE)
  }

  /** Runs `work`, which may not wait, over an index that holds at least all events up to the log's present head. */
  async read<A>(work: (file: SearchFile) => A, options: IndexingOptions = {}): Promise<A> {
    const { position: target } = await this.#log.logHead()
    try {
      return await this.#answering(() => this.#readStored(work, target, options))
    } catch (problem) {
      const isHopeless = isRefoldError(problem, 'store-readonly') || isRefoldError(problem, 'store-full')
      if (!isHopeless || this.#path === undefined) throw problem
      this.#beside ??= new SearchIndex({ log: this.#log, source: this.#source })
      return this.#beside.read(work, options)
    }
  }

  /** Position up to which the index goes as it is; 0 where there is none. */
  async position(): Promise<number> {
    return this.#answering(async () => {
      const file = await this.#opened()
      return (await this.#whenFree(() => file.checkpoint()))?.position ?? 0
    })
  }

  /** How the index is, for a health report: looks at all of it and changes nothing. An index in memory is none that could be ill. */
  async check(): Promise<SearchState> {
    return this.#path === undefined ? { state: 'absent' } : checkIndex(this.#path, this.#log, this.#shape)
  }

  /** Takes in what is missing. Throws `views-behind` when another process holds the index and makes no progress. */
  catchUp(options: IndexingOptions = {}): Promise<void> {
    return this.#answering(async () => {
      await this.#caughtUp((await this.#log.logHead()).position, options)
    })
  }

  /**
   * Makes the index anew beside the one that searches go on to use, and puts it in that one's place. Cancelled or killed, the
   * old one stays.
   */
  async rebuild(options: IndexingOptions = {}): Promise<void> {
    const path = this.#path
    if (path === undefined) {
      await this.#turns.take(() => this.#throwAway())
      return this.catchUp(options)
    }
    const beside = `${path}-rebuild`
    const built = new SearchIndex({
      log: this.#log,
      source: this.#source,
      file: beside,
      lockFile: this.#lockFile,
      waitMs: this.#waitMs,
      pageSize: this.#pageSize,
    })
    try {
      await built.catchUp(options)
      await built.#answering(async () => (await built.#opened()).clean())
    } finally {
      await built.close()
    }
    await this.#answering(() =>
      this.#turns.take(async () => {
        this.#release()
        await this.#exclusively(() => {
          removeViewsFile(path)
          renameSync(beside, path)
        })
      }),
    )
    return this.catchUp(options)
  }

  /**
   * Takes what was erased from the log out of the index, its free pages and SQLite's side log; to be called after the erasing,
   * whether or not anybody ever searched. False while another process is in the way: ask again later.
   */
  async scrub(): Promise<boolean> {
    const path = this.#path
    if (path === undefined ? !this.#file : !existsSync(path)) return true
    return this.#answering(async () => {
      if (path !== undefined) {
        await this.#exclusively(() => removeViewsFile(`${path}-rebuild`))
        if (await this.#isFarBehind()) {
          await this.#turns.take(() => this.#throwAway())
          return true
        }
      }
      await this.catchUp()
      return this.#turns.take(async () => (await this.#opened()).clean())
    })
  }

  /** Takes in what is committed, by any process, soon after. Returns how to stop. */
  follow(): () => void {
    let timer: NodeJS.Timeout | undefined
    const takeIn = (): void => {
      timer = undefined
      // Whoever searches next meets the same problem and is told.
      this.catchUp().catch(() => undefined)
    }
    const stopListening = this.#log.onCommit(() => {
      timer ??= setTimeout(takeIn, FOLLOW_MS).unref()
    })
    const stop = (): void => {
      stopListening()
      clearTimeout(timer)
      this.#following.delete(stop)
    }
    this.#following.add(stop)
    takeIn()
    return stop
  }

  /** Waits for what is under way, up to its next page. Safe to call twice. */
  async close(): Promise<void> {
    this.#closed = true
    for (const stop of this.#following) stop()
    await this.#turns.idle()
    await this.#opening?.catch(() => undefined)
    await this.#beside?.close()
    this.#release()
  }

  async #readStored<A>(work: (file: SearchFile) => A, target: number, options: IndexingOptions): Promise<A> {
    for (;;) {
      const { position } = await this.#caughtUp(target, options)
      const file = await this.#opened()
      const read = await this.#whenFree(() =>
        file.read((checkpoint) => {
          // Another process may have thrown the index away just now.
          if (checkpoint.position < Math.min(target, position)) return undefined
          return { answer: work(file) }
        }),
      )
      if (read) return read.answer
    }
  }

  /** Does it again, once, over a new file when the old one proves damaged. */
  async #answering<A>(work: () => Promise<A>): Promise<A> {
    try {
      return await work()
    } catch (problem) {
      if (!isDamage(problem)) throw storeError(problem, this.#path ?? 'The index in memory')
    }
    try {
      await this.#turns.take(() => this.#throwAway())
      return await work()
    } catch (problem) {
      throw storeError(problem, this.#path ?? 'The index in memory')
    }
  }

  /** Already there is answered without waiting for what is under way. */
  async #caughtUp(target: number, options: IndexingOptions): Promise<SearchCheckpoint> {
    const file = await this.#opened()
    const found = await this.#whenFree(() => file.checkpoint())
    if (found && found.position >= target && (await this.#isOfLog(found))) return found
    return this.#turns.take(() => this.#takeInUpTo(target, options))
  }

  async #takeInUpTo(target: number, { onProgress, signal }: IndexingOptions): Promise<SearchCheckpoint> {
    for (let events = 0; ;) {
      signal?.throwIfAborted()
      const file = await this.#opened()
      const begun = await this.#whenFree(() => file.checkpoint())
      if (!begun || !(await this.#isOfLog(begun))) {
        const { logId } = await this.#log.logHead()
        const reset = (): void => {
          if (isSame(file.checkpoint(), begun)) file.reset(this.#shape, logId)
        }
        await this.#untilWritten(file, () => file.write(reset), begun)
        continue
      }
      if (begun.position >= target) return begun
      const page = await this.#log.readAll({ after: begun.position, limit: this.#pageSize })
      const last = page.at(-1)
      if (!last) return begun
      const harvest = await harvestOf(this.#log, page)
      await this.#untilWritten(file, () => file.write(() => file.take(begun, last, harvest)), begun)
      const now = file.checkpoint()
      if (now?.hash === last.hash) this.#trusted = now
      events += page.length
      // Nothing here waits for anything: without this, neither a signal nor anybody else would be heard meanwhile.
      await othersTurn()
      onProgress?.({ events, position: now?.position ?? 0, head: target })
    }
  }

  /** Tries until the write lock was had, or another process moved the checkpoint, so that the work may be needless. */
  async #untilWritten(file: SearchFile, write: () => boolean, begun: SearchCheckpoint | undefined): Promise<void> {
    const since = performance.now()
    for (let attempt = 0; !write(); attempt += 1) {
      if (!isSame(await this.#whenFree(() => file.checkpoint()), begun)) return
      if (performance.now() - since >= this.#waitMs) throw new RefoldError('views-behind', { missing: 0 })
      await sleep(pauseBefore(attempt, this.#source))
      this.#assertOpen()
    }
  }

  async #isOfLog(checkpoint: SearchCheckpoint): Promise<boolean> {
    if (isSame(checkpoint, this.#trusted)) return true
    if (!(await isOfLog(checkpoint, this.#log, this.#shape))) return false
    this.#trusted = checkpoint
    return true
  }

  async #isFarBehind(): Promise<boolean> {
    const file = await this.#opened()
    const found = await this.#whenFree(() => file.checkpoint())
    if (!found || !(await this.#isOfLog(found))) return true
    const missing = await this.#log.readAll({ after: found.position, limit: MOST_BEFORE_CLEANING + 1 })
    return missing.length > MOST_BEFORE_CLEANING
  }

  async #throwAway(): Promise<void> {
    const path = this.#path
    const damaged = this.#file?.identity
    this.#release()
    if (path === undefined) return
    await this.#exclusively(() => {
      // Else another process threw it away already.
      if (damaged === undefined || identityOf(path)?.inode === damaged.inode) removeViewsFile(path)
    })
  }

  /** The open index; opened anew when its file was deleted or replaced. */
  async #opened(): Promise<SearchFile> {
    this.#assertOpen()
    const now = this.#path === undefined ? undefined : identityOf(this.#path)
    const opened = this.#file?.identity
    if (this.#file && (this.#path === undefined || now !== undefined) && opened?.inode === now?.inode) return this.#file
    this.#opening ??= this.#reopen().finally(() => (this.#opening = undefined))
    return this.#opening
  }

  async #reopen(): Promise<SearchFile> {
    this.#release()
    const path = this.#path
    this.#file =
      path === undefined
        ? new SearchFile()
        : await this.#exclusively(() => {
            if (!existsSync(path)) removeViewsFile(path)
            createFile(path)
            return new SearchFile(path)
          })
    return this.#file
  }

  #release(): void {
    this.#file?.close()
    this.#file = undefined
    this.#trusted = undefined
  }

  #exclusively<A>(work: () => A): Promise<A> {
    return exclusively(this.#lockFile, { waitMs: this.#waitMs, source: this.#source }, work)
  }

  #whenFree<A>(work: () => A): Promise<A> {
    return whenFree(work, { file: this.#path ?? '', waitMs: this.#waitMs, source: this.#source })
  }

  #assertOpen(): void {
    if (this.#closed) throw new RefoldError('store-closed', { file: this.#path ?? 'The index in memory' })
  }
}
