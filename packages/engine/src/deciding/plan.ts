import type { Blob, EncodedEvent, ExpectedRevision, SessionEvent } from '@refold/events'
import type { Refusal } from '../refusal.ts'
import type { Reading } from './reading.ts'

export interface PlannedEvent {
  readonly event: SessionEvent
  /** Absent: derived from the stream, the command's key and the place among the stream's events without one. */
  readonly id?: string
  /** The event as it will be stored, where it was checked and written down before. */
  readonly encoded?: EncodedEvent
}

export interface StreamPlan {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly events: readonly PlannedEvent[]
}

/** What a command that is taken writes, in one append, and what it answers. */
export interface Plan<X extends object> {
  readonly ok: true
  readonly session: string
  /** The session's stream: the outcome tells of its events. */
  readonly stream: string
  /** Its revision before. */
  readonly revision: number
  readonly appends: readonly StreamPlan[]
  readonly blobs?: readonly Blob[]
  readonly answer: X
  /** The first outcome of a repeated command: nothing is written, this is told again. */
  readonly first?: { readonly revision: number; readonly events: readonly string[] }
}

/** A command's whole way from its input to a decision. */
export type Deciding<X extends object> = Reading<Plan<X> | Refusal>
