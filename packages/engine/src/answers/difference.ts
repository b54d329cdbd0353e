import type { Json, TitleAuthor } from '@refold/events'
import type { ContextMessage, TranscriptEntry } from '@refold/projections'
import type { UsageLine } from './usage-report.ts'
import type { ContextSight } from './why-view.ts'

/** Some of a list, from its beginning, and how many there are in all. */
export interface Excerpt<T> {
  readonly count: number
  readonly entries: readonly T[]
}

/** What was, and what is. */
export interface Change<T> {
  readonly before: T
  readonly after: T
}

/** One end of a difference. */
export interface PointReached {
  /** -1: before the first event. */
  readonly revision: number
  /** Epoch milliseconds, when that event was recorded; null before the first one. */
  readonly at: number | null
}

/** A context in numbers. */
export interface ContextFacts {
  readonly digest: string
  readonly bytes: number
  readonly messages: number
  /** The compaction whose summary stands. */
  readonly summary: string | null
}

/** Why the model is not sent a message; `gone`: it was not there yet. */
export type WhyGone =
  | Extract<ContextSight, { readonly sent: false }>
  | { readonly sent: false; readonly because: 'gone' }

/** What became of one session between two points of it. */
export interface SessionDifference {
  readonly session: string
  readonly from: PointReached
  readonly to: PointReached
  readonly transcript: {
    /** Messages shown. */
    readonly messages: Change<number>
    readonly gained: Excerpt<TranscriptEntry>
    readonly lost: Excerpt<TranscriptEntry>
    readonly changed: Excerpt<Change<TranscriptEntry>>
  }
  readonly context: Change<ContextFacts> & {
    readonly added: Excerpt<ContextMessage>
    readonly removed: Excerpt<ContextMessage & { readonly why: WhyGone }>
    /** Sent at both points: in another text, or in another form for the model. */
    readonly changed: Excerpt<Change<ContextMessage> & { readonly how: 'text' | 'wire-form' }>
    /** Null where it is the same. */
    readonly systemPrompt: Change<string | null> | null
  }
  /** Null where it is the same. */
  readonly title: Change<{ readonly title: string | null; readonly titleBy: TitleAuthor | null }> | null
  /** Its own settings other than tags, by name; a value is null where it was not set. */
  readonly settings: readonly (Change<Json> & { readonly name: string })[]
  readonly tags: { readonly added: readonly string[]; readonly removed: readonly string[] }
  /** Its own usage, without delegates. */
  readonly usage: Change<UsageLine>
}
