import type { Actor } from './recorded.ts'
import type { Sha256 } from './sha256.ts'

/** Version of the hash's own make-up; the first thing hashed. */
export const CHAIN_VERSION = 1

/** What stands before the first event of a stream. */
export const CHAIN_START: string = '0'.repeat(64)

/** What is hashed of an event beside its payload: nothing that a server assigns. */
export interface HashedEnvelope {
  readonly id: string
  readonly stream: string
  readonly revision: number
  readonly type: string
  readonly version: number
  readonly recordedAt: number
  readonly actor: Actor
  readonly correlationId?: string
  readonly causationId?: string
}

/**
 * Digest of a payload: SHA-256 over the salt's 32 hex digits and the payload's JSON text as first written. The salt
 * vanishes with the payload, so that a short text cannot be guessed from what a purge leaves.
 */
export function payloadDigest(sha256: Sha256, salt: string, payload: string): string {
  return sha256(salt + payload)
}

/** Digest of what a purge leaves of its events, from the digests of their masked payloads in the order of the stream. */
export function purgeDigest(sha256: Sha256, masked: readonly string[]): string {
  return sha256(masked.join(''))
}

/**
 * Hash of an event: SHA-256 over the UTF-8 JSON text of
 * `[version, previous hash, stream, revision, id, type, schema version, recordedAt, actor id, correlation, causation, payload digest]`.
 */
export function chainHash(sha256: Sha256, previous: string, event: HashedEnvelope, digest: string): string {
  return sha256(
    JSON.stringify([
      CHAIN_VERSION,
      previous,
      event.stream,
      event.revision,
      event.id,
      event.type,
      event.version,
      event.recordedAt,
      event.actor.id,
      event.correlationId ?? null,
      event.causationId ?? null,
      digest,
    ]),
  )
}
