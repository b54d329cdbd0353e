import type { EventData, EventStoreDBClient, RecordedEvent } from '@eventstore/db-client'
import type { Source } from '@refold/engine'
import {
  checkAppend,
  CommitListeners,
  LogSubscriptions,
  pageLimit,
  planAppend,
  Salts,
  sealAppend,
} from '@refold/engine/stores'
import {
  CHAIN_START,
  RefoldError,
  type AnyRecorded,
  type Append,
  type Appended,
  type Capabilities,
  type EventRef,
  type EventStore,
  type LogHead,
  type LogRange,
  type RawEvent,
  type StreamAppend,
  type StreamHead,
  type StreamRange,
  type Subscription,
} from '@refold/events'
import { BlobStreams } from './blob-streams.ts'
import { failureOf, limitIn, storeError } from './client-error.ts'
import { FollowCommits } from './follow-commits.ts'
import type { StoreFacts } from './meta-stream.ts'
import { movePayloads } from './move-payloads.ts'
import { insist, type Patience } from './patience.ts'
import { readLog, readPage } from './read-pages.ts'
import { StreamIndexes } from './stream-indexes.ts'
import type { StreamIndex } from './stream-index.ts'
import { asRead, recorded } from './written-event.ts'

const capabilities: Capabilities = {
  atomicOverStreams: false,
  uniqueEventIds: true,
  transactions: false,
  erase: false,
  durability: 'server',
}

/** Bytes of one append that a server takes unless it is set up otherwise, with room for its own framing. */
const APPEND_LIMIT = 1024 * 1024 - 16 * 1024
/** Events read at once to bring an index up to date. */
const INDEX_PAGE = 1_000
/** Rounds of reading and appending where other writers are always quicker. */
const ROUNDS = 50

export interface EventStoreDBParts {
  readonly client: EventStoreDBClient
  readonly release: () => Promise<void>
  readonly facts: StoreFacts
  readonly source: Source
  readonly patience: Patience
  readonly where: string
}

/** The log on an EventStoreDB or KurrentDB server, behind the port that all stores share. */
export class EventStoreDBStore implements EventStore {
  readonly capabilities: Capabilities = capabilities
  readonly secret: string
  readonly #parts: EventStoreDBParts
  readonly #client: EventStoreDBClient
  readonly #blobs: BlobStreams
  readonly #salts: Salts
  readonly #indexes = new StreamIndexes()
  /** One append to a stream at a time from this process: the others would only meet a wrong revision. */
  readonly #turns = new Map<string, Promise<unknown>>()
  readonly #commits: CommitListeners
  readonly #subscriptions = new LogSubscriptions(this)
  /** Under way: closing waits for them. */
  readonly #calls = new Set<Promise<unknown>>()
  #limit = APPEND_LIMIT
  #closed = false

  constructor(parts: EventStoreDBParts) {
    const { client, source, patience, facts } = parts
    this.#parts = parts
    this.#client = client
    this.secret = facts.secret
    this.#blobs = new BlobStreams(client, patience, source.sha256)
    this.#salts = new Salts(source)
    const following = new FollowCommits(client, source, () => this.#commits.notify())
    this.#commits = new CommitListeners({ arrives: () => following.start(), leaves: () => void following.stop() })
  }

  /**
   * Streams are appended to one after another, in the order asked for. What refuses any of them is looked for before the
   * first is written; where another writer comes between, the later ones are refused and the earlier ones stay.
   */
  async append(append: Append): Promise<Appended> {
    this.#assertOpen()
    checkAppend(append)
    return this.#calling(async () => {
      const events: AnyRecorded[] = []
      let isRepeated = true
      const refused = await this.#foresee(append)
      if (refused) return refused
      for (const request of append.streams) {
        if (request.events.length === 0) continue
        const blobs = append.blobs ?? []
        const appended = await this.#inTurn(request.stream, () =>
          this.#appendTo({ streams: [request], blobs }, request),
        )
        if (!appended.ok) return appended
        events.push(...appended.events)
        isRepeated &&= appended.repeated
      }
      if (!isRepeated) this.#commits.notify()
      return { ok: true, events, repeated: isRepeated && events.length > 0, durability: 'server' }
    })
  }

  async head(stream: string): Promise<StreamHead | undefined> {
    const [last] = await this.readRaw(stream, { limit: 1, backwards: true })
    return last && { revision: last.revision, hash: last.hash }
  }

  async logHead(): Promise<LogHead> {
    const [last] = await this.readAll({ limit: 1, backwards: true })
    return { logId: this.#parts.facts.logId, position: last?.position ?? 0, hash: last?.hash ?? CHAIN_START }
  }

  async readStream(stream: string, range: StreamRange): Promise<readonly AnyRecorded[]> {
    return (await this.readRaw(stream, range)).map(recorded)
  }

  async readAll({ after, limit, backwards = false }: LogRange): Promise<readonly AnyRecorded[]> {
    this.#assertOpen()
    const range = { limit: pageLimit(limit), backwards, ...(after === undefined ? {} : { after }) }
    return this.#calling(async () => {
      const events = await insist(this.#parts.patience, () => readLog(this.#client, range))
      return (await this.#whole(events)).map(recorded)
    })
  }

  readEvents(refs: readonly EventRef[]): Promise<readonly (AnyRecorded | undefined)[]> {
    this.#assertOpen()
    return this.#calling(() => this.#events(refs))
  }

  async #events(refs: readonly EventRef[]): Promise<readonly (AnyRecorded | undefined)[]> {
    const found = new Map<string, AnyRecorded>()
    for (const [stream, run] of runsOf(refs)) {
      const [from = 0] = run
      const page = await this.#page(stream, { from, limit: (run.at(-1) ?? from) - from + 1 })
      for (const event of page.map(recorded)) found.set(`${event.revision} ${stream}`, event)
    }
    return refs.map(({ stream, revision }) => found.get(`${revision} ${stream}`))
  }

  async find(stream: string, eventId: string): Promise<AnyRecorded | undefined> {
    this.#assertOpen()
    return this.#calling(async () => {
      const index = await this.#upToDate(stream)
      const revision = index.revisionOf(eventId)
      if (revision === undefined) return undefined
      const [event] = await this.#page(stream, { from: revision, limit: 1 })
      return event && recorded(event)
    })
  }

  async blob(hash: string): Promise<Uint8Array | undefined> {
    this.#assertOpen()
    return this.#calling(() => this.#blobs.read(hash))
  }

  async readRaw(stream: string, range: StreamRange): Promise<readonly RawEvent[]> {
    this.#assertOpen()
    return this.#calling(() => this.#page(stream, { ...range, limit: pageLimit(range.limit) }))
  }

  onCommit(listener: () => void): () => void {
    this.#assertOpen()
    return this.#commits.listen(listener)
  }

  subscribe(from: { readonly after: number }): Subscription {
    this.#assertOpen()
    return this.#subscriptions.begin(from)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#subscriptions.close()
    await Promise.allSettled(this.#calls)
    await this.#parts.release()
  }

  /** Why the whole cannot be written, as far as it can be known before anything is. */
  async #foresee({ streams }: Append): Promise<Extract<Appended, { ok: false }> | undefined> {
    if (streams.length < 2 && streams.every(({ events }) => events.length > 0)) return undefined
    const indexes = new Map<string, StreamIndex>()
    for (const { stream } of streams) indexes.set(stream, await this.#upToDate(stream))
    const plan = planAppend(logIndex(indexes), { streams })
    return plan.kind === 'refuse' ? plan.refusal : undefined
  }

  async #appendTo(append: Append, { stream }: StreamAppend): Promise<Appended> {
    // What is known is tried first: the server refuses it where there is more, and then that is read.
    let index = this.#indexes.of(stream)
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round > 0) index = await this.#upToDate(stream)
      const plan = planAppend(logIndex(new Map([[stream, index]])), append)
      if (plan.kind !== 'write' && round === 0) continue
      if (plan.kind === 'refuse') return plan.refusal
      if (plan.kind === 'repeat') {
        const events = (await this.#events(plan.events)).flatMap((event) => event ?? [])
        return { ok: true, events, repeated: true, durability: 'server' }
      }
      const events = await this.#write(append, stream, index)
      if (events) return { ok: true, events, repeated: false, durability: 'server' }
    }
    throw new RefoldError('contended', { stream, tries: ROUNDS })
  }

  /** Undefined where another writer was quicker. */
  async #write(append: Append, stream: string, index: StreamIndex): Promise<readonly AnyRecorded[] | undefined> {
    const { source } = this.#parts
    const sealed = sealAppend({ sha256: source.sha256, salts: this.#salts, head: () => index.head }, append)
    for (const blob of append.blobs ?? []) await this.#blobs.write(blob)
    for (;;) {
      const limit = this.#limit
      const { events, moved } = movePayloads(sealed, limit, source.sha256)
      for (const [hash, bytes] of moved) await this.#blobs.write({ hash, bytes })
      try {
        await this.#send(stream, index.revision, events)
        break
      } catch (problem) {
        const failure = failureOf(problem)
        if (failure === 'wrong-version') return undefined
        if (failure === 'too-large') {
          const told = (limitIn(problem) ?? limit) * 0.9
          if (told < limit) {
            this.#limit = Math.floor(told)
            continue
          }
        }
        if (failure === 'unknown') throw new RefoldError('outcome-unknown', { streams: [stream] }, { cause: problem })
        throw problem
      }
    }
    // Positions are the server's to give.
    const from = index.revision + 1
    const written = (await this.#page(stream, { from, limit: sealed.length })).map(recorded)
    index.follow(written)
    this.#indexes.trim()
    return written
  }

  /** With the same ids at the same revision however often it is sent: the server takes it once. */
  async #send(stream: string, revision: number, events: readonly EventData[]): Promise<void> {
    const expectedRevision = revision < 0 ? 'no_stream' : BigInt(revision)
    await insist(this.#parts.patience, (deadline) =>
      this.#client.appendToStream(stream, [...events], { expectedRevision, deadline }),
    )
  }

  async #page(stream: string, range: StreamRange): Promise<readonly RawEvent[]> {
    return this.#whole(await insist(this.#parts.patience, () => readPage(this.#client, stream, range)))
  }

  async #upToDate(stream: string): Promise<StreamIndex> {
    const index = this.#indexes.of(stream)
    for (;;) {
      const from = index.revision + 1
      const page = await insist(this.#parts.patience, () => readPage(this.#client, stream, { from, limit: INDEX_PAGE }))
      index.follow(page.map((event) => asRead(event, this.#parts.where).raw))
      if (page.length < INDEX_PAGE) return index
    }
  }

  /** Events with their payloads, those too that stand in blobs. */
  #whole(events: readonly RecordedEvent[]): Promise<readonly RawEvent[]> {
    return Promise.all(
      events.map(async (event) => {
        const { raw, moved } = asRead(event, this.#parts.where)
        if (moved === undefined) return raw
        const bytes = await this.#blobs.read(moved)
        if (!bytes) throw new RefoldError('blob-missing', { blob: moved })
        return { ...raw, payload: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) }
      }),
    )
  }

  async #inTurn<T>(stream: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(stream)
    const turn = this.#after(before, work)
    const over = turn.then(
      () => undefined,
      () => undefined,
    )
    this.#turns.set(stream, over)
    try {
      return await turn
    } finally {
      if (this.#turns.get(stream) === over) this.#turns.delete(stream)
    }
  }

  async #after<T>(before: Promise<unknown> | undefined, work: () => Promise<T>): Promise<T> {
    await before
    return work()
  }

  async #calling<T>(work: () => Promise<T>): Promise<T> {
    const call = work()
    this.#calls.add(call)
    try {
      return await call
    } catch (problem) {
      throw storeError(problem, this.#parts.where)
    } finally {
      this.#calls.delete(call)
    }
  }

  #assertOpen(): void {
    if (this.#closed) throw new RefoldError('store-closed', { file: this.#parts.where })
  }
}

function logIndex(indexes: ReadonlyMap<string, StreamIndex>): Parameters<typeof planAppend>[0] {
  return {
    head: (stream) => indexes.get(stream)?.head,
    revisionOf: (stream, eventId) => indexes.get(stream)?.revisionOf(eventId),
  }
}

/** Revisions of each stream in runs without large gaps: a few events read in vain cost less than another call. */
function runsOf(refs: readonly EventRef[]): readonly (readonly [stream: string, revisions: readonly number[]])[] {
  const byStream = new Map<string, number[]>()
  for (const { stream, revision } of refs) {
    const revisions = byStream.get(stream)
    if (revisions) revisions.push(revision)
    else byStream.set(stream, [revision])
  }
  const runs: (readonly [string, number[]])[] = []
  for (const [stream, revisions] of byStream) {
    let run: number[] = []
    for (const revision of revisions.toSorted((one, other) => one - other)) {
      const last = run.at(-1)
      if (last === undefined || revision - last > MOST_IN_VAIN) runs.push([stream, (run = [])])
      run.push(revision)
    }
  }
  return runs
}

const MOST_IN_VAIN = 20
