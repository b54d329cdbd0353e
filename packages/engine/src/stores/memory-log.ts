import {
  CHAIN_START,
  decodeEvent,
  payloadDigest,
  type AnyRecorded,
  type Append,
  type Appended,
  type Envelope,
  type EventRef,
  type LogRange,
  type LogTransaction,
  type RawEvent,
  type RecordedAppend,
  type Sha256,
  type StreamHead,
  type StreamRange,
} from '@refold/events'
import type { Source } from '../source.ts'
import { checkAppend } from './check-append.ts'
import { pageLimit } from './page-limit.ts'
import { planAppend, type LogIndex } from './plan-append.ts'
import { Salts } from './salts.ts'
import { sealRecorded, type SealedRecord } from './seal-recorded.ts'
import { placed, sealAppend, type SealedEvent, type Sealing } from './seal-append.ts'

/** Positions rise in steps, as they do in other stores after what was rolled back, so that nobody counts on 1. */
const STEP = 3

interface Kept {
  readonly envelope: Envelope
  readonly type: string
  content: { readonly payload: string | null; readonly salt: string | null; readonly digest: string | null }
  event: AnyRecorded
}

interface KeptStream {
  readonly events: Kept[]
  readonly revisions: Map<string, number>
}

/** The log itself, in memory. Every change leaves a note of how to undo it until the work that made it is over. */
export class MemoryLog implements LogTransaction, LogIndex, Sealing {
  readonly sha256: Sha256
  readonly salts: Salts
  readonly #streams = new Map<string, KeptStream>()
  readonly #log: Kept[] = []
  readonly #blobs = new Map<string, Uint8Array>()
  #undo: (() => void)[] = []

  constructor(source: Source) {
    this.sha256 = source.sha256
    this.salts = new Salts(source)
  }

  /** Ends a piece of work: what it wrote stays. True when it wrote anything. */
  commit(): boolean {
    const wrote = this.#undo.length > 0
    this.#undo = []
    return wrote
  }

  rollback(): void {
    for (const undo of this.#undo.reverse()) undo()
    this.#undo = []
  }

  append(append: Append): Appended {
    checkAppend(append)
    const plan = planAppend(this, append)
    if (plan.kind === 'refuse') return plan.refusal
    if (plan.kind === 'repeat') {
      const events = plan.events.flatMap((ref) => this.event(ref) ?? [])
      return { ok: true, events, repeated: true, durability: 'memory' }
    }
    const sealed = sealAppend(this, append)
    for (const { hash, bytes } of append.blobs ?? []) this.#keepBlob(hash, bytes)
    const events = sealed.map((event) => this.#keep(event))
    return { ok: true, events, repeated: false, durability: 'memory' }
  }

  appendRecorded(append: RecordedAppend): readonly AnyRecorded[] {
    const sealed = sealRecorded(this, append)
    for (const { hash, bytes } of append.blobs ?? []) this.#keepBlob(hash, bytes)
    return sealed.map((event) => this.#keep(event))
  }

  head(stream: string): StreamHead | undefined {
    const last = this.#streams.get(stream)?.events.at(-1)
    return last && { revision: last.envelope.revision, hash: last.envelope.hash }
  }

  revisionOf(stream: string, eventId: string): number | undefined {
    return this.#streams.get(stream)?.revisions.get(eventId)
  }

  find(stream: string, eventId: string): AnyRecorded | undefined {
    const revision = this.revisionOf(stream, eventId)
    return revision === undefined ? undefined : this.event({ stream, revision })
  }

  event({ stream, revision }: EventRef): AnyRecorded | undefined {
    return this.#streams.get(stream)?.events[revision]?.event
  }

  read(stream: string, range: StreamRange): readonly AnyRecorded[] {
    return this.#page(stream, range).map(({ event }) => event)
  }

  readRaw(stream: string, range: StreamRange): readonly RawEvent[] {
    return this.#page(stream, range).map(({ envelope, type, content }) => ({ ...envelope, type, ...content }))
  }

  readAll(range: LogRange): readonly AnyRecorded[] {
    return this.#logPage(range).map(({ event }) => event)
  }

  readLogRaw(range: LogRange): readonly RawEvent[] {
    return this.#logPage(range).map(({ envelope, type, content }) => ({ ...envelope, type, ...content }))
  }

  #logPage({ after, limit, backwards = false }: LogRange): Kept[] {
    const behind = Math.max(Math.floor((after ?? 0) / STEP), 0)
    const before =
      after === undefined ? this.#log.length - 1 : Math.min(Math.ceil(after / STEP) - 2, this.#log.length - 1)
    return page(this.#log, backwards ? before : behind, limit, backwards)
  }

  last(): { readonly position: number; readonly hash: string } {
    const last = this.#log.at(-1)
    return { position: last?.envelope.position ?? 0, hash: last?.envelope.hash ?? CHAIN_START }
  }

  blob(hash: string): Uint8Array | undefined {
    return this.#blobs.get(hash)?.slice()
  }

  erase({ stream, revision }: EventRef, masked: string | null, given?: string): boolean {
    const kept = this.#streams.get(stream)?.events[revision]
    if (kept === undefined) return false
    const { content, event } = kept
    this.#undo.push(() => Object.assign(kept, { content, event }))
    const digest = content.digest ?? payloadDigest(this.sha256, content.salt ?? '', content.payload ?? '')
    kept.content = { payload: masked, salt: masked === null ? null : (given ?? this.salts.next()), digest }
    kept.event = decodeEvent(kept.envelope, kept.type, masked)
    return true
  }

  eraseBlob(hash: string): boolean {
    const bytes = this.#blobs.get(hash)
    if (bytes === undefined) return false
    this.#undo.push(() => this.#blobs.set(hash, bytes))
    return this.#blobs.delete(hash)
  }

  #page(stream: string, { from, limit, backwards = false }: StreamRange): Kept[] {
    const events = this.#streams.get(stream)?.events ?? []
    const start = backwards ? Math.min(from ?? events.length, events.length - 1) : Math.max(from ?? 0, 0)
    return page(events, start, limit, backwards)
  }

  #keepBlob(hash: string, bytes: Uint8Array): void {
    if (this.#blobs.has(hash)) return
    this.#blobs.set(hash, bytes.slice())
    this.#undo.push(() => this.#blobs.delete(hash))
  }

  #keep(sealed: SealedEvent | SealedRecord): AnyRecorded {
    const { said, salt } = sealed
    const digest = 'digest' in sealed ? sealed.digest : null
    const event = placed(sealed, (this.#log.length + 1) * STEP)
    const content = { payload: said.payload, salt, digest }
    const kept: Kept = { envelope: envelopeOf(event), type: said.type, content, event }
    const { stream } = event
    const into = this.#streams.get(stream) ?? { events: [], revisions: new Map<string, number>() }
    this.#streams.set(stream, into)
    into.events.push(kept)
    into.revisions.set(said.id, event.revision)
    this.#log.push(kept)
    this.#undo.push(() => {
      this.#log.pop()
      into.events.pop()
      into.revisions.delete(said.id)
    })
    return event
  }
}

function envelopeOf(event: AnyRecorded): Envelope {
  const { id, stream, revision, position, recordedAt, actor, version, hash } = event
  const { correlationId, causationId } = event
  return {
    id,
    stream,
    revision,
    position,
    recordedAt,
    actor,
    ...(correlationId !== undefined && { correlationId }),
    ...(causationId !== undefined && { causationId }),
    version,
    hash,
  }
}

/** Up to `limit` items from index `start` on, going the way asked for. */
function page<T>(items: readonly T[], start: number, limit: number, backwards: boolean): T[] {
  const size = pageLimit(limit)
  if (!backwards) return items.slice(start, start + size)
  return items.slice(Math.max(start + 1 - size, 0), start + 1).reverse()
}
