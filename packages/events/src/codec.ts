import type { AnyRecorded, Envelope } from './recorded.ts'
import type { Json } from './json.ts'
import { RefoldError } from './errors.ts'
import { eventSchemas, isEventType, type SessionEvent } from './session-event.ts'
import { currentVersion, upcast, upcasters } from './upcasters.ts'

/** An event checked against its schema and written down: these very bytes are hashed, stored and given back. */
export interface EncodedEvent {
  readonly type: string
  readonly version: number
  /** JSON text of the data. Lone surrogates and control characters stand as escapes, so it is valid UTF-8. */
  readonly payload: string
}

/** Checks and serialises. Throws `event-malformed` naming the field, before anything is written. */
export function encodeEvent(event: SessionEvent): EncodedEvent {
  if (!isEventType(event.type))
    throw new RefoldError('event-malformed', { type: String(event.type), problem: 'unknown type' })
  const parsed = eventSchemas[event.type].safeParse(event.data)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const problem = issue ? `${issue.path.join('.') || 'data'}: ${issue.message}` : 'data'
    throw new RefoldError('event-malformed', { type: event.type, problem }, { cause: parsed.error })
  }
  return { type: event.type, version: currentVersion(event.type), payload: JSON.stringify(parsed.data) }
}

/**
 * Reads what a store gives back. Trusts the payload of a known type, whose hash the chain protects; a type or version
 * from elsewhere comes back as unknown, a purged payload (null) as erased.
 */
export function decodeEvent(envelope: Envelope, type: string, payload: string | null): AnyRecorded {
  if (payload === null) return { ...envelope, type, data: null, erased: true }
  const data: Json = JSON.parse(payload)
  if (isEventType(type)) {
    const steps = upcasters[type]
    const isCurrent = envelope.version === 1 && steps === undefined
    const current = isCurrent ? data : upcast(type, envelope.version, data)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the boundary: written by encodeEvent, vouched for by its hash
    if (current !== undefined) return { ...envelope, type, data: current } as AnyRecorded
  }
  return { ...envelope, type, data, unknown: true }
}
