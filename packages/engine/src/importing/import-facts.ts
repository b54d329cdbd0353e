import type { Blob, Durability, SessionEvent } from '@refold/events'

/** One fact of a foreign history. */
export interface ImportedFact {
  /** Derived by `importedEventId`, `messageEventId` or `partialEventId`, so that the same fact is written once. */
  readonly id: string
  /** Texts may have any length: the door moves large ones to the blob store. */
  readonly event: SessionEvent
}

export interface ImportedSession {
  /** Its id; the first fact of a new session is `SessionStarted`. */
  readonly session: string
  readonly facts: readonly ImportedFact[]
}

/** Written in one append: all sessions of the batch or none. */
export interface ImportFacts {
  /** Such as `hermes`. */
  readonly tool: string
  readonly sessions: readonly ImportedSession[]
  /** Attachments that the facts refer to. */
  readonly blobs?: readonly Blob[]
}

export interface ImportWarning {
  readonly code: 'title-numbered' | 'id-taken' | 'route-taken' | 'message-conflict' | 'skipped-deleted' | 'not-started'
  readonly session: string
  /** The title, id, route or message that it is about. */
  readonly about: string
  /** What was done instead. */
  readonly instead: string | null
}

export interface ImportReport {
  /** Events written. */
  readonly appended: number
  /** Facts that the log held already. */
  readonly alreadyThere: number
  /** Messages among the written. */
  readonly messages: number
  readonly warnings: readonly ImportWarning[]
  /** Revision of each session after it. */
  readonly revisions: { readonly [session: string]: number }
  readonly durability: Durability
}
