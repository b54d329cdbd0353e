import type { Json, Part, Provenance, Role } from '@refold/events'

interface EntryPlace {
  readonly id: string
  /** Revision at which it first appeared, in the stream of the session that it was written to. */
  readonly revision: number
  /** Epoch milliseconds: the message's own time, else that of its recording. */
  readonly at: number
  /** It comes from the session that this one is a branch of. */
  readonly inherited: boolean
}

export interface MessageEntry extends EntryPlace {
  readonly kind: 'message'
  readonly role: Role
  readonly provenance: Provenance
  /** Whole, large texts resolved; an edited message in its newest version. */
  readonly parts: readonly Part[]
  readonly state: 'complete' | 'partial' | 'failed'
  readonly editedAt: number | null
  readonly author: string | null
}

/** Something that happened between two messages. */
export interface MarkerEntry extends EntryPlace {
  readonly kind: 'compaction' | 'rotation' | 'delegate' | 'model' | 'branch' | 'end' | 'reopen' | 'alternative' | 'note'
  /** Such as `covers`, `kept` and `summary` of a compaction, `segment` of a rotation, `session`, `task`, `status` of a delegate. */
  readonly details: { readonly [field: string]: Json }
}

export type TranscriptEntry = MessageEntry | MarkerEntry

/** The newest entries of a transcript, or those before a cursor; oldest first. */
export interface TranscriptPage {
  readonly session: string
  readonly revision: number
  readonly entries: readonly TranscriptEntry[]
  /** Goes back to older ones; null at the beginning. */
  readonly cursor: string | null
}

export interface TranscriptQuery {
  /** Absent: 100. */
  readonly limit?: number
  readonly cursor?: string
  /** A revision: the transcript as it was then. */
  readonly at?: number
}
