import type {
  AnyRecorded,
  Append,
  Appended,
  Capabilities,
  EventRef,
  EventStore,
  LogHead,
  LogRange,
  RawEvent,
  StreamHead,
  StreamRange,
  Subscription,
} from '@refold/events'

/**
 * A log in memory over a stored one: what is written stays in memory, streams that are not there are read from below. Its
 * own log (`readAll`, `logHead`, `subscribe`) holds only what was written here.
 */
export class PrivateStore implements EventStore {
  readonly capabilities: Capabilities
  readonly secret: string
  readonly #own: EventStore
  readonly #below: EventStore

  constructor(own: EventStore, below: EventStore) {
    this.#own = own
    this.#below = below
    this.secret = below.secret
    // Decisions read from below and have to wait for it, so they are made anew when something came between.
    this.capabilities = { ...own.capabilities, transactions: false }
  }

  append(append: Append): Promise<Appended> {
    return this.#own.append(append)
  }

  async head(stream: string): Promise<StreamHead | undefined> {
    return (await this.#of(stream)).head(stream)
  }

  logHead(): Promise<LogHead> {
    return this.#own.logHead()
  }

  async readStream(stream: string, range: StreamRange): Promise<readonly AnyRecorded[]> {
    return (await this.#of(stream)).readStream(stream, range)
  }

  readAll(range: LogRange): Promise<readonly AnyRecorded[]> {
    return this.#own.readAll(range)
  }

  readEvents(refs: readonly EventRef[]): Promise<readonly (AnyRecorded | undefined)[]> {
    return Promise.all(refs.map(async (ref) => (await (await this.#of(ref.stream)).readEvents([ref]))[0]))
  }

  async find(stream: string, eventId: string): Promise<AnyRecorded | undefined> {
    return (await this.#of(stream)).find(stream, eventId)
  }

  async blob(hash: string): Promise<Uint8Array | undefined> {
    return (await this.#own.blob(hash)) ?? this.#below.blob(hash)
  }

  async readRaw(stream: string, range: StreamRange): Promise<readonly RawEvent[]> {
    return (await this.#of(stream)).readRaw(stream, range)
  }

  onCommit(listener: () => void): () => void {
    return this.#own.onCommit(listener)
  }

  subscribe(from: { readonly after: number }): Subscription {
    return this.#own.subscribe(from)
  }

  close(): Promise<void> {
    return this.#own.close()
  }

  async #of(stream: string): Promise<EventStore> {
    return (await this.#own.head(stream)) ? this.#own : this.#below
  }
}
