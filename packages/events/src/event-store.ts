import type { Actor, AnyRecorded, Envelope } from './recorded.ts'
import type { EncodedEvent } from './codec.ts'

/** What a stream must look like for an append to be taken; a number is the revision of its last event. */
export type ExpectedRevision = number | 'no-stream' | 'exists' | 'any'

/** An event on its way into a stream: revision, position and hash are the store's to give. */
export interface NewEvent extends EncodedEvent {
  readonly id: string
  readonly recordedAt: number
  readonly actor: Actor
  readonly correlationId?: string
  readonly causationId?: string
  /** 32 hex digits that are hashed with the payload; only for events that keep the hash they had elsewhere. */
  readonly salt?: string
}

export interface StreamAppend {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly events: readonly NewEvent[]
}

/** A text or attachment, written in the transaction of the events that refer to it; known hashes are kept as they are. */
export interface Blob {
  readonly hash: string
  readonly bytes: Uint8Array
}

export interface Append {
  readonly streams: readonly StreamAppend[]
  readonly blobs?: readonly Blob[]
}

/** How safe an acknowledged append is: on disk, in the operating system, in memory, or with a server. */
export type Durability = 'disk' | 'system' | 'memory' | 'server'

export type Appended =
  | {
      readonly ok: true
      /** In the order of the request, one row a stream; its last revision now is that of its last event here. */
      readonly events: readonly AnyRecorded[]
      /** True when these very events were there already: a repeat, of which nothing was written again. */
      readonly repeated: boolean
      readonly durability: Durability
    }
  | {
      readonly ok: false
      readonly code: 'wrong-revision'
      readonly stream: string
      readonly expected: ExpectedRevision
      /** Revision of the stream's last event; -1 when there is none. */
      readonly actual: number
    }
  | {
      /** An event id stands in that stream already, apart from a whole repeat. */
      readonly ok: false
      readonly code: 'duplicate-event-id'
      readonly stream: string
      readonly eventId: string
    }

export interface StreamHead {
  readonly revision: number
  readonly hash: string
}

export interface LogHead {
  /** Names this log for life; a restored backup keeps it, another store has another. */
  readonly logId: string
  /** Position of the last event; 0 for an empty log. */
  readonly position: number
  /** Its hash; {@link CHAIN_START} for an empty log. */
  readonly hash: string
}

export interface StreamRange {
  /** Revision to begin at, itself included; the stream's beginning (or end, backwards) where absent. */
  readonly from?: number
  readonly limit: number
  readonly backwards?: boolean
}

export interface LogRange {
  /** Position to begin behind, itself left out; the log's beginning (or end, backwards) where absent. */
  readonly after?: number
  readonly limit: number
  readonly backwards?: boolean
}

export interface EventRef {
  readonly stream: string
  readonly revision: number
}

/** An event as it is kept: all that verifying a chain and writing it down elsewhere needs. */
export interface RawEvent extends Envelope {
  readonly type: string
  /** The very text that was appended; masked once redacted, null once erased. */
  readonly payload: string | null
  /** 32 hex digits that are hashed with the payload; null once erased. */
  readonly salt: string | null
  /** Digest of the payload as first written, once that is gone; null while it is here to be digested. */
  readonly digest: string | null
}

/** Events with all that was recorded of them elsewhere, in the order in which they are to stand in the log. */
export interface RecordedAppend {
  /** Their positions are of no account: the store gives its own. */
  readonly events: readonly RawEvent[]
  readonly blobs?: readonly Blob[]
}

/** Reads a log without waiting: what a command sees while it decides inside a transaction. */
export interface LogReader {
  head(stream: string): StreamHead | undefined
  read(stream: string, range: StreamRange): readonly AnyRecorded[]
  /** The event with this id in this stream. */
  find(stream: string, eventId: string): AnyRecorded | undefined
  blob(hash: string): Uint8Array | undefined
  /** Part of the whole log in its order, as it is kept. */
  readLogRaw(range: LogRange): readonly RawEvent[]
}

/** The same, with the right to append. All appends of one piece of work become durable together or not at all. */
export interface LogTransaction extends LogReader {
  append(append: Append): Appended
  /**
   * Writes events as another log recorded them: ids, times, actors, salts, digests and hashes stay what they were. Each
   * stream must be continued where it ends here; throws `append-malformed` for anything that the chain does not bear out.
   */
  appendRecorded(append: RecordedAppend): readonly AnyRecorded[]
  /**
   * Overwrites what an event said, with a masked payload or with nothing; its envelope, hash and first digest stay. The
   * masked payload is kept with this salt, else with one of the store's. False when there is no such event.
   */
  erase(event: EventRef, masked: string | null, salt?: string): boolean
  /** Takes a blob away. False when there is none. */
  eraseBlob(hash: string): boolean
}

export interface TransactOptions {
  /**
   * False: `work` is not expected to throw once it has written, so the store may save itself the trouble of undoing it
   * apart from others'. Should it throw all the same, what ran in one transaction with it is rejected with it.
   */
  readonly failsLate?: boolean
}

/** What a store can promise. The contract suite checks each for what it says. */
export interface Capabilities {
  /** Several streams in one append, all or nothing. */
  readonly atomicOverStreams: boolean
  /** An event id stands once in its stream, however long ago. */
  readonly uniqueEventIds: boolean
  /** `transact` is there: commands decide inside the append's own transaction. */
  readonly transactions: boolean
  readonly erase: boolean
  readonly durability: Durability
}

export interface Subscription extends AsyncIterable<AnyRecorded> {
  /** Ends it; the iteration finishes. Safe to call twice. */
  close(): Promise<void>
}

/**
 * Where events live. Appends to one stream follow each other without gaps; the log has one order, which is that of the
 * commits. Read pages are complete: fewer events than asked for means there are no more.
 */
export interface EventStore {
  readonly capabilities: Capabilities
  /** The store's secret, from which claim streams get their names. */
  readonly secret: string
  append(append: Append): Promise<Appended>
  /** Runs `work` inside a transaction, possibly together with others' work; rejects with what `work` throws, nothing written. */
  transact?<T>(work: (log: LogTransaction) => T, options?: TransactOptions): Promise<T>
  head(stream: string): Promise<StreamHead | undefined>
  logHead(): Promise<LogHead>
  readStream(stream: string, range: StreamRange): Promise<readonly AnyRecorded[]>
  readAll(range: LogRange): Promise<readonly AnyRecorded[]>
  /** Single events, in the order asked for; undefined where there is none. */
  readEvents(refs: readonly EventRef[]): Promise<readonly (AnyRecorded | undefined)[]>
  find(stream: string, eventId: string): Promise<AnyRecorded | undefined>
  blob(hash: string): Promise<Uint8Array | undefined>
  /** The hashes of all blobs. Absent where a store cannot list them. */
  blobHashes?(): Promise<readonly string[]>
  readRaw(stream: string, range: StreamRange): Promise<readonly RawEvent[]>
  /** The whole log in its order, as it is kept. Absent where a store has no such reading; then streams are read one by one. */
  readLogRaw?(range: LogRange): Promise<readonly RawEvent[]>
  /** Calls back soon after each commit, another process's too; several commits may share one call. Returns how to stop. */
  onCommit(listener: () => void): () => void
  /** Everything behind `after` and then what is appended from now on, each event once, in order. */
  subscribe(from: { readonly after: number }): Subscription
  close(): Promise<void>
}
