import type { Json, Part, Provenance, Role } from '@refold/events'
import type { EntryKind } from '../rules/transcript-rows.ts'

interface EntryPlace {
  readonly id: string
  /** Revision at which it first appeared, in the stream of the session that it was written to. */
  readonly revision: number
  /** Epoch milliseconds: its own time as far as that can be believed, else that of its recording. */
  readonly at: number
  /** It comes from the session that this one is a branch of. */
  readonly inherited: boolean
}

export interface MessageEntry extends EntryPlace {
  readonly kind: 'message'
  readonly role: Role
  readonly provenance: Provenance
  /** Whole, large texts in place; an edited message in its newest version. */
  readonly parts: readonly Part[]
  /** Partial: unfinished though its turn is over. Failed: its turn failed before anything answered it. */
  readonly state: 'complete' | 'partial' | 'failed'
  readonly editedAt: number | null
  readonly author: string | null
}

/** Something that happened between two messages. */
export interface MarkerEntry extends EntryPlace {
  readonly kind: Exclude<EntryKind, 'message'>
  /** Such as `covers`, `kept` and `summary` of a compaction, `segment` of a rotation, `session`, `task`, `status` of a delegate. */
  readonly details: { readonly [field: string]: Json }
}

export type TranscriptEntry = MessageEntry | MarkerEntry
