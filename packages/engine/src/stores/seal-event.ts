import { CHAIN_START, chainHash, payloadDigest, type Envelope, type NewEvent, type StreamHead } from '@refold/events'
import type { Source } from '../source.ts'
import { hex } from './hex.ts'

/** An event with its place in its stream and the hash that binds it to all before it. */
export interface SealedEvent {
  readonly envelope: Omit<Envelope, 'position'>
  readonly salt: string
}

/** What is hashed with a payload, so that a short text cannot be guessed from its digest: 16 bytes as hex digits. */
export const newSalt = (source: Source): string => hex(source.random(16))

export function sealEvent(source: Source, stream: string, before: StreamHead | undefined, said: NewEvent): SealedEvent {
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
  return { envelope: { ...place, hash }, salt }
}
