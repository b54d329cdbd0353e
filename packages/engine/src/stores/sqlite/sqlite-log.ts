import type { Database } from 'better-sqlite3'
import {
  CHAIN_START,
  payloadDigest,
  type AnyRecorded,
  type Append,
  type Appended,
  type Durability,
  type EventRef,
  type LogRange,
  type LogTransaction,
  type RawEvent,
  type RecordedAppend,
  type Sha256,
  type StreamHead,
  type StreamRange,
} from '@refold/events'
import type { Source } from '../../source.ts'
import { checkAppend } from '../check-append.ts'
import { pageLimit } from '../page-limit.ts'
import { planAppend, type LogIndex } from '../plan-append.ts'
import { Salts } from '../salts.ts'
import { sealRecorded, type SealedRecord } from '../seal-recorded.ts'
import { placed, sealAppend, type SealedEvent, type Sealing } from '../seal-append.ts'
import { toRaw, toRecorded, type Names } from './event-row.ts'
import { Interned } from './interned.ts'
import { actors, eventTypes, streamNames } from './interned-kinds.ts'
import { prepareLog, type LogStatements } from './log-statements.ts'

/** Heads of streams that are kept from one transaction to the next. */
const REMEMBERED_HEADS = 10_000

/** The log in its file, as one connection sees it. Whoever calls decides about transactions. */
export class SqliteLog implements LogTransaction, LogIndex, Sealing {
  readonly sha256: Sha256
  readonly salts: Salts
  readonly #file: string
  readonly #durability: Durability
  readonly #statements: LogStatements
  readonly #names: Names
  readonly #beforeWriting: () => void
  readonly #heads = new Map<string, StreamHead>()
  #isWriting = false

  constructor(
    database: Database,
    {
      file,
      source,
      durability,
      beforeWriting,
    }: {
      readonly file: string
      readonly source: Source
      readonly durability: Durability
      readonly beforeWriting: () => void
    },
  ) {
    this.#file = file
    this.sha256 = source.sha256
    this.salts = new Salts(source)
    this.#durability = durability
    this.#beforeWriting = beforeWriting
    this.#statements = prepareLog(database)
    this.#names = {
      streams: new Interned(database, streamNames),
      types: new Interned(database, eventTypes),
      actors: new Interned(database, actors),
    }
  }

  append(append: Append): Appended {
    checkAppend(append)
    const plan = planAppend(this, append)
    if (plan.kind === 'refuse') return plan.refusal
    const durability = this.#durability
    if (plan.kind === 'repeat') {
      const events = plan.events.flatMap((ref) => this.event(ref) ?? [])
      return { ok: true, events, repeated: true, durability }
    }
    const sealed = sealAppend(this, append)
    this.#beforeWriting()
    for (const { hash, bytes } of append.blobs ?? []) this.#statements.insertBlob.run(hash, bytes)
    const events = sealed.map((event) => placed(event, this.#insert(event)))
    return { ok: true, events, repeated: false, durability }
  }

  appendRecorded(append: RecordedAppend): readonly AnyRecorded[] {
    const sealed = sealRecorded(this, append)
    this.#beforeWriting()
    for (const { hash, bytes } of append.blobs ?? []) this.#statements.insertBlob.run(hash, bytes)
    return sealed.map((event) => placed(event, this.#insert(event)))
  }

  head(stream: string): StreamHead | undefined {
    const known = this.#isWriting ? this.#heads.get(stream) : undefined
    if (known !== undefined) return known
    const key = this.#names.streams.keyOf(stream)
    const row = key === undefined ? undefined : this.#statements.headOfStream.get(key)
    const head = row && { revision: row[0], hash: row[1] }
    if (this.#isWriting && head !== undefined) this.#heads.set(stream, head)
    return head
  }

  revisionOf(stream: string, eventId: string): number | undefined {
    const key = this.#names.streams.keyOf(stream)
    return key === undefined ? undefined : this.#statements.revisionOf.get(key, eventId)
  }

  find(stream: string, eventId: string): AnyRecorded | undefined {
    const revision = this.revisionOf(stream, eventId)
    return revision === undefined ? undefined : this.event({ stream, revision })
  }

  event({ stream, revision }: EventRef): AnyRecorded | undefined {
    const key = this.#names.streams.keyOf(stream)
    const row = key === undefined ? undefined : this.#statements.eventAt.get(key, revision)
    return row && toRecorded(row, this.#names, this.#file)
  }

  read(stream: string, { from, limit, backwards = false }: StreamRange): readonly AnyRecorded[] {
    const key = this.#names.streams.keyOf(stream)
    if (key === undefined) return []
    const { streamBackwards, streamForwards } = this.#statements
    const rows = backwards
      ? streamBackwards.all(key, from ?? Number.MAX_SAFE_INTEGER, pageLimit(limit))
      : streamForwards.all(key, from ?? 0, pageLimit(limit))
    return rows.map((row) => toRecorded(row, this.#names, this.#file))
  }

  readRaw(stream: string, { from, limit, backwards = false }: StreamRange): readonly RawEvent[] {
    const key = this.#names.streams.keyOf(stream)
    if (key === undefined) return []
    const { rawBackwards, rawForwards } = this.#statements
    const rows = backwards
      ? rawBackwards.all(key, from ?? Number.MAX_SAFE_INTEGER, pageLimit(limit))
      : rawForwards.all(key, from ?? 0, pageLimit(limit))
    return rows.map((row) => toRaw(row, this.#names, this.#file))
  }

  readLogRaw({ after, limit, backwards = false }: LogRange): readonly RawEvent[] {
    const { rawLogBackwards, rawLogForwards } = this.#statements
    const rows = backwards
      ? rawLogBackwards.all(after ?? Number.MAX_SAFE_INTEGER, pageLimit(limit))
      : rawLogForwards.all(after ?? 0, pageLimit(limit))
    return rows.map((row) => toRaw(row, this.#names, this.#file))
  }

  readAll({ after, limit, backwards = false }: LogRange): readonly AnyRecorded[] {
    const { logBackwards, logForwards } = this.#statements
    const rows = backwards
      ? logBackwards.all(after ?? Number.MAX_SAFE_INTEGER, pageLimit(limit))
      : logForwards.all(after ?? 0, pageLimit(limit))
    return rows.map((row) => toRecorded(row, this.#names, this.#file))
  }

  last(): { readonly position: number; readonly hash: string } {
    const [position, hash] = this.#statements.headOfLog.get() ?? [0, CHAIN_START]
    return { position, hash }
  }

  blob(hash: string): Uint8Array | undefined {
    return this.#statements.blob.get(hash)
  }

  blobHashes(): readonly string[] {
    return this.#statements.blobHashes.all()
  }

  erase({ stream, revision }: EventRef, masked: string | null, given?: string): boolean {
    const [raw] = this.readRaw(stream, { from: revision, limit: 1 })
    if (raw?.revision !== revision) return false
    this.#beforeWriting()
    const digest = raw.digest ?? payloadDigest(this.sha256, raw.salt ?? '', raw.payload ?? '')
    const salt = masked === null ? null : (given ?? this.salts.next())
    this.#statements.eraseEvent.run(masked, salt, digest, raw.position)
    return true
  }

  eraseBlob(hash: string): boolean {
    this.#beforeWriting()
    return this.#statements.eraseBlob.run(hash).changes > 0
  }

  /** From now until `end` nobody else can write. What is remembered from earlier holds if nobody did meanwhile. */
  begin(nobodyElseWrote: boolean): void {
    this.#isWriting = true
    if (!nobodyElseWrote || this.#heads.size > REMEMBERED_HEADS) this.#heads.clear()
  }

  end(): void {
    this.#isWriting = false
  }

  /** What was remembered of rows that a rollback took back. */
  forget(): void {
    this.#heads.clear()
    this.#names.streams.forget()
    this.#names.types.forget()
    this.#names.actors.forget()
  }

  /** Answers the event's position. */
  #insert(sealed: SealedEvent | SealedRecord): number {
    const { said, salt, event } = sealed
    const { streams, types, actors } = this.#names
    const { stream, revision, hash } = event
    const inserted = this.#statements.insertEvent.run(
      streams.intern(stream),
      revision,
      said.id,
      types.intern(said),
      said.recordedAt,
      actors.intern(said.actor),
      said.correlationId ?? null,
      said.causationId ?? null,
      hash,
      salt,
      said.payload,
      'digest' in sealed ? sealed.digest : null,
    )
    this.#heads.set(stream, { revision, hash })
    return Number(inserted.lastInsertRowid)
  }
}
