import { binaryEvent, type EventData, type RecordedEvent } from '@eventstore/db-client'
import type { SealedEvent } from '@refold/engine/stores'
import { decodeEvent, RefoldError, type Actor, type AnyRecorded, type Envelope, type RawEvent } from '@refold/events'

/*
 * One of our events as the server keeps it: the payload's very bytes as data, all else as metadata. The data are not
 * declared as JSON, for the client would parse and write them anew, and their hash would be that of other bytes.
 */

interface Written {
  readonly version: number
  readonly recordedAt: number
  readonly actor: Actor
  readonly hash: string
  readonly salt: string
  /** Hash of a payload that was too large for the server and stands in blobs. */
  readonly moved?: string
  readonly $correlationId?: string
  readonly $causationId?: string
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** `moved`: where its payload stands instead. */
export function toWrite({ said, salt, event }: SealedEvent, moved?: string): EventData {
  const metadata: Written = {
    version: said.version,
    recordedAt: said.recordedAt,
    actor: said.actor,
    hash: event.hash,
    salt,
    ...(moved !== undefined && { moved }),
    ...(said.correlationId !== undefined && { $correlationId: said.correlationId }),
    ...(said.causationId !== undefined && { $causationId: said.causationId }),
  }
  return binaryEvent({
    id: uuidOf(said.id),
    type: said.type,
    data: moved === undefined ? encoder.encode(said.payload) : new Uint8Array(),
    metadata: encoder.encode(JSON.stringify(metadata)),
  })
}

/** Bytes that an event takes of the server's limit. */
export function bytesOf({ data, metadata }: EventData): number {
  return lengthOf(data) + lengthOf(metadata)
}

const lengthOf = (bytes: unknown): number => (bytes instanceof Uint8Array ? bytes.length : 0)

/** An event as it was read, its payload perhaps still to be fetched. */
export interface ReadEvent {
  readonly raw: RawEvent
  readonly moved: string | undefined
}

/** Throws `store-damaged` for what none of us wrote. */
export function asRead(event: RecordedEvent, where: string): ReadEvent {
  try {
    const written = metadataOf(event)
    const envelope: Envelope = {
      id: event.id.replaceAll('-', ''),
      stream: event.streamId,
      revision: Number(event.revision),
      position: Number(event.position?.commit ?? 0n),
      recordedAt: written.recordedAt,
      actor: written.actor,
      version: written.version,
      hash: written.hash,
      ...(written.$correlationId !== undefined && { correlationId: written.$correlationId }),
      ...(written.$causationId !== undefined && { causationId: written.$causationId }),
    }
    const payload = event.data instanceof Uint8Array ? decoder.decode(event.data) : JSON.stringify(event.data)
    return { raw: { ...envelope, type: event.type, payload, salt: written.salt, digest: null }, moved: written.moved }
  } catch (cause) {
    const problem = `event ${event.revision} of ${event.streamId} is not one of Refold's`
    throw new RefoldError('store-damaged', { file: where, problem }, { cause })
  }
}

export function recorded({ type, payload, salt: _salt, digest: _digest, ...envelope }: RawEvent): AnyRecorded {
  return decodeEvent(envelope, type, payload)
}

function metadataOf({ metadata }: RecordedEvent): Written {
  const value: unknown = metadata instanceof Uint8Array ? JSON.parse(decoder.decode(metadata)) : metadata
  if (typeof value !== 'object' || value === null || !('hash' in value) || !('actor' in value))
    throw new TypeError('no metadata of ours')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the boundary: written by `toWrite`, vouched for by its hash
  return value as Written
}

/** Event ids have 32 hex digits here, and four dashes there. */
export function uuidOf(id: string): string {
  return `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`
}
