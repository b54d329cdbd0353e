import { CHAIN_START, RefoldError, type AnyRecorded, type EventStore } from '@refold/events'
import { plainRows, type Fold, type RowReaders, type Rows, type TableDefinitions } from '@refold/projections'
import type { StateSnapshot, StateSnapshots } from '../deciding/state-snapshots.ts'
import { Turns } from './turns.ts'
import type { Checkpoint, RebuildOptions, Views } from './views.ts'

export interface MemoryViewsOptions<T> {
  readonly log: EventStore
  readonly tables: TableDefinitions<T>
  readonly fold: Fold<T>
  /** Events read at a time. */
  readonly pageSize: number
  /** Most events to fold for one call; more throw `views-behind`. */
  readonly mostEvents: number
}

/** Views that live as long as this object: beside a store in memory, and where no file can be had. */
export class MemoryViews<T extends { readonly [N in keyof T]: object }> implements Views<T> {
  readonly snapshots: StateSnapshots
  readonly #options: MemoryViewsOptions<T>
  readonly #turns = new Turns()
  readonly #states = new Map<string, StateSnapshot>()
  #rows: Rows<T>
  #last: AnyRecorded | undefined
  #closed = false

  constructor(options: MemoryViewsOptions<T>) {
    this.#options = options
    this.#rows = plainRows(options.tables)
    this.snapshots = {
      load: (stream) => this.#states.get(stream),
      save: (stream, snapshot) => void this.#states.set(stream, snapshot),
    }
  }

  async read<A>(work: (rows: RowReaders<T>, checkpoint: Checkpoint) => A, upTo?: number): Promise<A> {
    const { logId } = await this.catchUp(upTo)
    // Another reader may have folded more since: what counts is where the rows are now.
    return work(this.#rows, this.#checkpoint(logId))
  }

  catchUp(upTo?: number): Promise<Checkpoint> {
    return this.#turns.take(() => this.#catchUp(upTo))
  }

  async rebuild({ onProgress, signal }: RebuildOptions = {}): Promise<Checkpoint> {
    const { log, pageSize } = this.#options
    const anew = new MemoryViews(this.#options)
    const head = await log.logHead()
    for (let events = 0; (anew.#last?.position ?? 0) < head.position;) {
      signal?.throwIfAborted()
      const page = await log.readAll({ after: anew.#last?.position ?? 0, limit: pageSize })
      if (page.length === 0) break
      anew.#fold(page)
      events += page.length
      onProgress?.({ events, position: anew.#last?.position ?? 0, head: head.position })
    }
    return this.#turns.take(() => {
      this.#rows = anew.#rows
      this.#last = anew.#last
      return this.#catchUp()
    })
  }

  async scrub(): Promise<boolean> {
    await this.catchUp()
    this.#states.clear()
    return true
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#turns.idle()
  }

  async #catchUp(upTo?: number): Promise<Checkpoint> {
    if (this.#closed) throw new RefoldError('store-closed', { file: 'The views in memory' })
    const { log, pageSize, mostEvents } = this.#options
    const head = await log.logHead()
    const target = upTo ?? head.position
    let folded = 0
    while ((this.#last?.position ?? 0) < target) {
      const page = await log.readAll({ after: this.#last?.position ?? 0, limit: pageSize })
      if (page.length === 0) break
      folded += page.length
      if (folded > mostEvents) throw new RefoldError('views-behind', { missing: folded })
      this.#fold(page)
    }
    return this.#checkpoint(head.logId)
  }

  #checkpoint(logId: string): Checkpoint {
    return { logId, position: this.#last?.position ?? 0, hash: this.#last?.hash ?? CHAIN_START }
  }

  #fold(page: readonly AnyRecorded[]): void {
    for (const event of page) this.#options.fold(event, this.#rows)
    this.#last = page.at(-1)
  }
}
