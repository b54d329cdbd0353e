import {
  RefoldError,
  type AnyRecorded,
  type Append,
  type Appended,
  type Capabilities,
  type EventRef,
  type EventStore,
  type LogHead,
  type LogRange,
  type LogTransaction,
  type RawEvent,
  type StreamHead,
  type StreamRange,
  type Subscription,
} from '@refold/events'
import type { Source } from '../source.ts'
import { CommitListeners } from './commit-listeners.ts'
import { hex } from './hex.ts'
import { LogSubscriptions } from './log-subscriptions.ts'
import { MemoryLog } from './memory-log.ts'
import { runWork } from './run-work.ts'
import { workScope } from './work-scope.ts'

const capabilities: Capabilities = {
  atomicOverStreams: true,
  uniqueEventIds: true,
  transactions: true,
  erase: true,
  durability: 'memory',
}

/** Opens an empty log that lives as long as the object: for tests, browsers and sessions that are not to be kept. */
export function openMemoryStore(source: Source): MemoryStore {
  return new MemoryStore(source)
}

/** The whole contract of a store, in memory. */
export class MemoryStore implements EventStore {
  readonly capabilities: Capabilities = capabilities
  readonly secret: string
  readonly #logId: string
  readonly #log: MemoryLog
  readonly #commits = new CommitListeners()
  readonly #subscriptions = new LogSubscriptions(this)
  #closed = false

  constructor(source: Source) {
    this.#log = new MemoryLog(source)
    this.#logId = hex(source.random(16))
    this.secret = hex(source.random(32))
  }

  async append(append: Append): Promise<Appended> {
    return this.#run((log) => log.append(append))
  }

  async transact<T>(work: (log: LogTransaction) => T): Promise<T> {
    return this.#run(work)
  }

  async head(stream: string): Promise<StreamHead | undefined> {
    return (await this.#settled()).head(stream)
  }

  async logHead(): Promise<LogHead> {
    return { logId: this.#logId, ...(await this.#settled()).last() }
  }

  async readStream(stream: string, range: StreamRange): Promise<readonly AnyRecorded[]> {
    return (await this.#settled()).read(stream, range)
  }

  async readAll(range: LogRange): Promise<readonly AnyRecorded[]> {
    return (await this.#settled()).readAll(range)
  }

  async readEvents(refs: readonly EventRef[]): Promise<readonly (AnyRecorded | undefined)[]> {
    const log = await this.#settled()
    return refs.map((ref) => log.event(ref))
  }

  async find(stream: string, eventId: string): Promise<AnyRecorded | undefined> {
    return (await this.#settled()).find(stream, eventId)
  }

  async blob(hash: string): Promise<Uint8Array | undefined> {
    return (await this.#settled()).blob(hash)
  }

  async readRaw(stream: string, range: StreamRange): Promise<readonly RawEvent[]> {
    return (await this.#settled()).readRaw(stream, range)
  }

  async readLogRaw(range: LogRange): Promise<readonly RawEvent[]> {
    return (await this.#settled()).readLogRaw(range)
  }

  onCommit(listener: () => void): () => void {
    this.#open()
    return this.#commits.listen(listener)
  }

  subscribe(from: { readonly after: number }): Subscription {
    this.#open()
    return this.#subscriptions.begin(from)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#subscriptions.close()
  }

  async #run<T>(work: (log: LogTransaction) => T): Promise<T> {
    const log = await this.#settled()
    const scope = workScope(log)
    try {
      const result = runWork(work, scope.log)
      if (log.commit()) this.#commits.notify()
      return result
    } catch (problem) {
      log.rollback()
      throw problem
    } finally {
      scope.end()
    }
  }

  /** The log between two pieces of work: whoever calls from inside of one has to wait until it is over. */
  async #settled(): Promise<MemoryLog> {
    const log = this.#open()
    await Promise.resolve()
    return log
  }

  #open(): MemoryLog {
    if (this.#closed) throw new RefoldError('store-closed', { file: 'The store in memory' })
    return this.#log
  }
}
