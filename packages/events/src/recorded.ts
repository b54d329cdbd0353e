import { z } from 'zod'
import type { Json } from './json.ts'
import type { SessionEvent } from './session-event.ts'

/** Who did it: an opaque id and what kind of thing it names. */
export interface Actor {
  readonly kind: 'person' | 'agent' | 'engine' | 'importer' | 'housekeeping'
  readonly id: string
  /** The session that acts, when the actor is a delegate. */
  readonly session?: string
  /** Such as `cli` or `telegram`. */
  readonly surface?: string
}

export const actor: z.ZodType<Actor> = z.strictObject({
  kind: z.enum(['person', 'agent', 'engine', 'importer', 'housekeeping']),
  id: z.string().min(1),
  session: z.string().exactOptional(),
  surface: z.string().exactOptional(),
})

/** An event of a type or version that this build does not know, carried along as it is. */
export interface UnknownEvent {
  readonly type: string
  readonly data: Json
  readonly unknown: true
}

/** An event whose payload was purged: where it stood is still known, what it said is not. */
export interface ErasedEvent {
  readonly type: string
  readonly data: null
  readonly erased: true
}

/** What the log adds to an event when it records it. */
export interface Envelope {
  /** 16 bytes as 32 lowercase hex digits; unique in its stream. */
  readonly id: string
  readonly stream: string
  /** Place in the stream, from 0, without gaps. */
  readonly revision: number
  /** Place in the whole log: increasing, not consecutive. */
  readonly position: number
  /** The engine's clock at the append, epoch milliseconds. */
  readonly recordedAt: number
  readonly actor: Actor
  readonly correlationId?: string
  readonly causationId?: string
  /** Schema version of the data as it was written. */
  readonly version: number
  /** Chain hash over this event and all before it in its stream, 64 lowercase hex digits. */
  readonly hash: string
}

/** An event together with what the log knows of it. */
export type Recorded<E extends { readonly type: string } = SessionEvent> = E & Envelope

/** What a fold meets in a log: events it knows, and such as it can only carry along. */
export type AnyRecorded = Recorded | Recorded<UnknownEvent> | Recorded<ErasedEvent>

export function isKnown(event: AnyRecorded): event is Recorded {
  return !('unknown' in event) && !('erased' in event)
}
