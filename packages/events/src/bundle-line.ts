import { z } from 'zod'
import type { RawEvent } from './event-store.ts'
import { actor } from './recorded.ts'

/*
 * An export is JSON lines in UTF-8: a manifest, one line a stream, then events in the order of their log, each blob before
 * the first event that refers to it, and an end with counts and a digest of all lines before. Nothing in it depends on when
 * or from which store it was made, so that what was imported can be exported again byte for byte.
 */

export const BUNDLE_VERSION = 1

export interface Manifest {
  readonly refold: 'export'
  readonly version: number
  readonly namespace: string
  readonly streams: number
  readonly events: number
}

export interface DeclaredStream {
  readonly stream: string
  /** Only the beginning of a session, from which another one in the file is shown. */
  readonly basis: boolean
  /** Its last event in the file. */
  readonly revision: number
  readonly hash: string
}

/** An event as it was recorded, without the position that its log gave it. */
export type BundledEvent = Omit<RawEvent, 'position'>

export type BundleLine =
  | Manifest
  | DeclaredStream
  | { readonly event: BundledEvent }
  | { readonly blob: string; readonly base64: string }
  | { readonly end: BundleEnd }

export interface BundleEnd {
  readonly events: number
  readonly blobs: number
  /** SHA-256 of all bytes before this line. */
  readonly sha256: string
}

const count = z.int().nonnegative()
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const id = z.string().regex(/^[0-9a-f]{32}$/)

const event: z.ZodType<BundledEvent> = z.strictObject({
  stream: z.string().min(1),
  revision: count,
  id,
  type: z.string().min(1),
  version: z.int().positive(),
  recordedAt: z.int(),
  actor,
  correlationId: z.string().exactOptional(),
  causationId: z.string().exactOptional(),
  salt: id.nullable(),
  digest: hash.nullable(),
  hash,
  payload: z.string().nullable(),
})

export const bundleLine: z.ZodType<BundleLine> = z.union([
  z.strictObject({ event }),
  z.strictObject({ blob: hash, base64: z.base64() }),
  z.strictObject({ stream: z.string().min(1), basis: z.boolean(), revision: count, hash }),
  z.strictObject({
    refold: z.literal('export'),
    version: z.int().positive(),
    namespace: z.string().min(1),
    streams: count,
    events: count,
  }),
  z.strictObject({ end: z.strictObject({ events: count, blobs: count, sha256: hash }) }),
])

/** The fields in one order, whatever store the event came from. */
export function eventLine(raw: RawEvent): string {
  const { stream, revision, id: eventId, type, version, recordedAt, salt, digest, payload } = raw
  const { kind, id: actorId, session, surface } = raw.actor
  const written: BundledEvent = {
    stream,
    revision,
    id: eventId,
    type,
    version,
    recordedAt,
    actor: {
      kind,
      id: actorId,
      ...(session !== undefined && { session }),
      ...(surface !== undefined && { surface }),
    },
    ...(raw.correlationId !== undefined && { correlationId: raw.correlationId }),
    ...(raw.causationId !== undefined && { causationId: raw.causationId }),
    salt,
    digest,
    hash: raw.hash,
    payload,
  }
  return lineOf({ event: written })
}

export function lineOf(line: BundleLine): string {
  return `${JSON.stringify(line)}\n`
}
