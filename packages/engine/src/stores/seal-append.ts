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
  type StreamAppend,
  type StreamHead,
} from '@refold/events'
import type { Source } from '../source.ts'
import { hex } from './hex.ts'

/** An event with its place in its stream and the hash that binds it to all before it; only its position is open. */
export interface SealedEvent {
  readonly said: NewEvent
  readonly salt: string
  readonly envelope: Omit<Envelope, 'position'>
  readonly recordedAt: (position: number) => AnyRecorded
}

/** What is hashed with a payload, so that a short text cannot be guessed from its digest: 16 bytes as hex digits. */
export const newSalt = (source: Source): string => hex(source.random(16))

/** Does all of an append that can fail, so that nothing but the storage itself can interrupt the writing. */
export function sealAppend(
  source: Source,
  append: Append,
  headOf: (stream: string) => StreamHead | undefined,
): readonly SealedEvent[] {
  return append.streams.flatMap((request) => sealStream(source, request, headOf))
}

function sealStream(
  source: Source,
  { stream, events }: StreamAppend,
  headOf: (stream: string) => StreamHead | undefined,
): readonly SealedEvent[] {
  if (events.length === 0) return []
  let head = headOf(stream)
  return events.map((said) => {
    const sealed = sealEvent(source, stream, head, said)
    head = sealed.envelope
    return sealed
  })
}

function sealEvent(source: Source, stream: string, before: StreamHead | undefined, said: NewEvent): SealedEvent {
  const place = {
    id: said.id,
    stream,
    revision: (before?.revision ?? -1) + 1,
    recordedAt: said.recordedAt,
    actor: said.actor,
    ...(said.correlationId !== undefined && { correlationId: said.correlationId }),
    ...(said.causationId !== undefined && { causationId: said.causationId }),
    version: said.version,
  }
  const salt = said.salt ?? newSalt(source)
  const digest = payloadDigest(source.sha256, salt, said.payload)
  const hash = chainHash(source.sha256, before?.hash ?? CHAIN_START, { ...place, type: said.type }, digest)
  const envelope = { ...place, hash }
  const event = decode({ ...envelope, position: 0 }, said)
  return { said, salt, envelope, recordedAt: (position) => ({ ...event, position }) }
}

function decode(envelope: Envelope, said: NewEvent): AnyRecorded {
  try {
    return decodeEvent(envelope, said.type, said.payload)
  } catch (cause) {
    const { stream } = envelope
    throw new RefoldError('append-malformed', { stream, problem: `the payload of ${said.type} is no JSON` }, { cause })
  }
}
