import {
  CHAIN_START,
  chainHash,
  decodeEvent,
  payloadDigest,
  RefoldError,
  type AnyRecorded,
  type Append,
  type Envelope,
  type NewEvent,
  type Sha256,
  type StreamAppend,
  type StreamHead,
} from '@refold/events'
import type { Salts } from './salts.ts'

/** An event with its place in its stream and the hash that binds it to all before it; only its position is open. */
export interface SealedEvent {
  readonly said: NewEvent
  readonly salt: string
  readonly event: AnyRecorded
}

/** What sealing draws on: the store's hash and salts, and the heads of its streams. */
export interface Sealing {
  readonly sha256: Sha256
  readonly salts: Salts
  head(stream: string): StreamHead | undefined
}

/** Does all of an append that can fail, so that nothing but the storage itself can interrupt the writing. */
export function sealAppend(sealing: Sealing, append: Append): readonly SealedEvent[] {
  return append.streams.flatMap((request) => sealStream(sealing, request))
}

/** Puts the position into an event that nobody else has seen yet. */
export function placed({ event }: Pick<SealedEvent, 'event'>, position: number): AnyRecorded {
  return Object.assign(event, { position })
}

function sealStream(sealing: Sealing, { stream, events }: StreamAppend): readonly SealedEvent[] {
  if (events.length === 0) return []
  let head = sealing.head(stream)
  return events.map((said) => {
    const sealed = sealEvent(sealing, stream, head, said)
    head = sealed.event
    return sealed
  })
}

function sealEvent(
  { sha256, salts }: Sealing,
  stream: string,
  before: StreamHead | undefined,
  said: NewEvent,
): SealedEvent {
  // Filled in place: objects spread from one another would cost as much as the hashing.
  const place: Place = {
    id: said.id,
    stream,
    revision: (before?.revision ?? -1) + 1,
    position: 0,
    type: said.type,
    version: said.version,
    recordedAt: said.recordedAt,
    actor: said.actor,
    hash: '',
  }
  if (said.correlationId !== undefined) place.correlationId = said.correlationId
  if (said.causationId !== undefined) place.causationId = said.causationId
  const salt = said.salt ?? salts.next()
  place.hash = chainHash(sha256, before?.hash ?? CHAIN_START, place, payloadDigest(sha256, salt, said.payload))
  return { said, salt, event: decode(place, said) }
}

type Place = { -readonly [K in keyof Envelope]: Envelope[K] } & { readonly type: string }

function decode(envelope: Envelope, said: NewEvent): AnyRecorded {
  try {
    return decodeEvent(envelope, said.type, said.payload)
  } catch (cause) {
    const { stream } = envelope
    throw new RefoldError('append-malformed', { stream, problem: `the payload of ${said.type} is no JSON` }, { cause })
  }
}
