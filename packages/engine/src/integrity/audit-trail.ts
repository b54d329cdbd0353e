import {
  ChainWalk,
  decodeEvent,
  parseSessionStream,
  RefoldError,
  type AnyRecorded,
  type EventStore,
  type RawEvent,
  type Sha256,
} from '@refold/events'
import { auditLine, type AuditLine } from '@refold/projections'
import { rawStream } from './raw-pages.ts'
import { describeBreak } from './verify-report.ts'

/** Which events are told; all of them where nothing is said. */
export interface AuditFilter {
  /** First and last revision, or times of recording in epoch milliseconds. */
  readonly from?: number | { readonly time: number }
  readonly to?: number | { readonly time: number }
  /** Types, in any case and with or without dashes: `Renamed`, `message-appended`. */
  readonly kinds?: readonly string[]
  /** Id of an actor, or a kind of actors. */
  readonly actor?: string
  readonly surface?: string
}

/** One event as people read it, and what led to it. */
export interface AuditEntry extends AuditLine {
  readonly eventId: string
  readonly event: AnyRecorded
  /** Key or event that it names as its cause. */
  readonly causationId: string | null
  /** Revision of the event of this session that is its cause. */
  readonly causedBy: number | null
  readonly correlationId: string | null
}

/**
 * Every event of a stream, in order, page by page. The chain is walked from its beginning meanwhile, so that nothing is told
 * that was not recorded: throws `store-damaged` at the first break.
 */
export async function* auditTrail(
  { store, sha256 }: { readonly store: EventStore; readonly sha256: Sha256 },
  stream: string,
  filter: AuditFilter = {},
): AsyncGenerator<AuditEntry> {
  const walk = new ChainWalk(sha256)
  const isWanted = wanted(filter)
  for await (const page of rawStream(store, stream)) {
    for (const raw of page) {
      const found = walk.take(raw)
      if (found) throw new RefoldError('store-damaged', { file: nameOf(stream), problem: describeBreak(found).message })
      if (typeof filter.to === 'number' && raw.revision > filter.to) return
      if (isWanted(raw)) yield await entryOf(store, raw)
    }
  }
}

async function entryOf(store: EventStore, raw: RawEvent): Promise<AuditEntry> {
  const { type, payload, salt: _salt, digest: _digest, ...envelope } = raw
  const event = decodeEvent(envelope, type, payload)
  const { id, stream, causationId = null, correlationId = null } = raw
  const isEventId = causationId !== null && /^[0-9a-f]{32}$/.test(causationId)
  const causedBy = isEventId ? ((await store.find(stream, causationId))?.revision ?? null) : null
  return { ...auditLine(event), eventId: id, event, causationId, causedBy, correlationId }
}

function wanted({ from = 0, to = Infinity, kinds, actor, surface }: AuditFilter): (event: RawEvent) => boolean {
  const types = kinds && new Set(kinds.map(plain))
  return (event) =>
    (typeof from === 'number' ? event.revision >= from : event.recordedAt >= from.time) &&
    (typeof to === 'number' ? event.revision <= to : event.recordedAt <= to.time) &&
    (types === undefined || types.has(plain(event.type))) &&
    (actor === undefined || event.actor.id === actor || event.actor.kind === actor) &&
    (surface === undefined || event.actor.surface === surface)
}

const plain = (type: string): string => type.toLowerCase().replaceAll('-', '')

const nameOf = (stream: string): string => {
  const address = parseSessionStream(stream)
  return address ? `Session ${address.session}` : stream
}
