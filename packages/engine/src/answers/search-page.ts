import type { Snippet } from '@refold/projections'
import type { RebuildProgress } from '../views/views.ts'

export type { Snippet, TextRange } from '@refold/projections'

export interface SearchQuery {
  /** A session by any of its names: only what its transcript shows, inherited messages too. */
  readonly session?: string
  /** Such as `user`, `assistant`, `tool`; whatever its case. A notice of the engine is no user's message. */
  readonly role?: string
  /** Calls of this tool and what they gave back; whatever its case. */
  readonly tool?: string
  /** Only sessions that work in this folder. */
  readonly workspace?: string
  /** Messages from this time on, by their own time as transcripts show it, epoch milliseconds. */
  readonly from?: number
  /** Messages before this time. */
  readonly to?: number
  /** True: only archived sessions. False: none of them. Absent: both. */
  readonly archived?: boolean
  /** Most messages a page. Absent: 50. */
  readonly limit?: number
  readonly cursor?: string
}

export interface SearchOptions {
  /** Called while what is missing in the index is taken in. */
  readonly onProgress?: (progress: RebuildProgress) => void
  readonly signal?: AbortSignal
}

/** A message or note that was found, once, however many sessions show it. */
export interface SearchHit {
  /** Where it was written, if that session still shows it; else the first branch that does. */
  readonly session: string
  readonly title: string | null
  /** Newest segment of `session`. */
  readonly tip: string
  /** All living sessions that show these words: `session`, then branches, older ones first. */
  readonly sessions: readonly string[]
  readonly kind: 'message' | 'note'
  /** Id of the message or note. */
  readonly message: string
  /** Null for a note. */
  readonly role: string | null
  /** Epoch milliseconds, as the transcript shows it. */
  readonly at: number
  readonly archived: boolean
  readonly snippet: Snippet
  /** From 0 to 1: how much of the message is what was looked for; what somebody said counts more than what a tool gave back. */
  readonly score: number
  /** A cursor of the session's transcript: the page before it ends a few entries after the message. */
  readonly anchor: string
}

/**
 * Hits by session. All of them, best first, where they fit on one page; else the newest ones, newest first, and `cursor` goes
 * on from there: it neither drops nor repeats a message, whatever is written meanwhile.
 */
export interface SearchPage {
  readonly hits: readonly SearchHit[]
  readonly cursor: string | null
}
