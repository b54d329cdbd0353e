import { decodeEvent, RefoldError, type Actor, type AnyRecorded, type Envelope, type RawEvent } from '@refold/events'
import type { Interned } from './interned.ts'
import type { EventTypeVersion } from './interned-kinds.ts'

/** Ids and hashes are turned into hex digits by SQLite: half the cost of making a buffer for each. */
export const EVENT_COLUMNS = `position, stream_key, revision, lower(hex(id)), type_key, recorded_at, actor_key,
  correlation_id, causation_id, lower(hex(hash)), payload`

export type EventRow = readonly [
  position: number,
  streamKey: number,
  revision: number,
  id: string,
  typeKey: number,
  recordedAt: number,
  actorKey: number,
  correlationId: string | null,
  causationId: string | null,
  hash: string,
  payload: string | null,
]

/** Of the same event: what its payload is hashed with, and the digest of a payload that is gone. */
export const SECRET_COLUMNS = `iif(salt IS NULL, NULL, lower(hex(salt))), iif(digest IS NULL, NULL, lower(hex(digest)))`

export type RawRow = readonly [...EventRow, salt: string | null, digest: string | null]

/** What the short keys of a row stand for. */
export interface Names {
  readonly streams: Interned<string>
  readonly types: Interned<EventTypeVersion>
  readonly actors: Interned<Actor>
}

export function toRecorded(row: EventRow, names: Names, file: string): AnyRecorded {
  const { envelope, type } = readRow(row, names, file)
  const [position, , , , , , , , , , payload] = row
  try {
    return decodeEvent(envelope, type, payload)
  } catch (cause) {
    throw new RefoldError('store-damaged', { file, problem: `the event at position ${position} is no JSON` }, { cause })
  }
}

/** Written without spreads where it can be: a verification makes one of these for each event of the log. */
export function toRaw(row: RawRow, names: Names, file: string): RawEvent {
  const [position, streamKey, revision, id, typeKey, recordedAt, actorKey, correlationId, causationId, hash] = row
  const [, , , , , , , , , , payload, salt, digest] = row
  const { stream, type, actor } = namesIn(position, [streamKey, typeKey, actorKey], names, file)
  const raw: RawEvent = {
    id,
    stream,
    revision,
    position,
    recordedAt,
    actor,
    version: type.version,
    hash,
    type: type.type,
    payload,
    salt,
    digest,
  }
  if (correlationId === null && causationId === null) return raw
  return { ...raw, ...(correlationId !== null && { correlationId }), ...(causationId !== null && { causationId }) }
}

function readRow(row: EventRow, names: Names, file: string): { readonly envelope: Envelope; readonly type: string } {
  const [position, streamKey, revision, id, typeKey, recordedAt, actorKey, correlationId, causationId, hash] = row
  const { stream, type, actor } = namesIn(position, [streamKey, typeKey, actorKey], names, file)
  const envelope = {
    id,
    stream,
    revision,
    position,
    recordedAt,
    actor,
    ...(correlationId !== null && { correlationId }),
    ...(causationId !== null && { causationId }),
    version: type.version,
    hash,
  }
  return { envelope, type: type.type }
}

function namesIn(
  position: number,
  [streamKey, typeKey, actorKey]: readonly [number, number, number],
  names: Names,
  file: string,
): { readonly stream: string; readonly type: EventTypeVersion; readonly actor: Actor } {
  const stream = names.streams.valueOf(streamKey)
  const type = names.types.valueOf(typeKey)
  const actor = actorOf(actorKey, names, file)
  if (stream === undefined || type === undefined || actor === undefined) {
    const problem = `the event at position ${position} has a key that leads nowhere`
    throw new RefoldError('store-damaged', { file, problem })
  }
  return { stream, type, actor }
}

/** Actors are kept as JSON, which a flipped bit may have made into anything. */
function actorOf(key: number, names: Names, file: string): Actor | undefined {
  try {
    return names.actors.valueOf(key)
  } catch (cause) {
    throw new RefoldError('store-damaged', { file, problem: `actor ${key} is none` }, { cause })
  }
}
