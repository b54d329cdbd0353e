import type { Actor, Role } from '@refold/events'
import type { Heir, TouchKind } from '@refold/projections'

export type { Heir, TouchKind } from '@refold/projections'

/** An event that touched a message. */
export interface MessageTouch {
  /** Whose log it stands in: the session's own, or that of one which it is a branch of. */
  readonly session: string
  readonly revision: number
  readonly position: number
  /** Epoch milliseconds, when it was recorded. */
  readonly at: number
  readonly actor: Actor
  readonly type: string
  readonly how: TouchKind
  /** The event in words, as the audit has it. */
  readonly what: string
  /** The compaction, or the rewind, that is spoken of. */
  readonly compaction?: string
  readonly undoId?: string
}

/** The event behind an absence. */
export interface Because {
  readonly session: string
  readonly revision: number
}

export type TranscriptSight =
  | {
      readonly shown: true
      /** Its number among the messages that are shown, from 1; null for a note. */
      readonly number: number | null
      readonly of: number
      readonly state: 'complete' | 'partial' | 'failed'
    }
  | { readonly shown: false; readonly because: 'model-only' }
  | {
      readonly shown: false
      readonly because: 'rewound'
      readonly by: readonly (Because & { readonly undoId: string })[]
    }

export type ContextSight =
  | {
      readonly sent: true
      /** Its number among the messages that are sent, from 1, a summary being one. */
      readonly place: number
      readonly of: number
      /** A carrier also holds the summary. */
      readonly as: 'message' | 'wire-form' | 'carrier'
    }
  | {
      readonly sent: false
      /**
       * For people only; its turn failed; it still grows; it has no words; or, `unmatched`, it only brings the result of a
       * call that is not there or was answered already.
       */
      readonly because: 'person-only' | 'failed' | 'unfinished' | 'says-nothing' | 'unmatched'
    }
  | {
      readonly sent: false
      readonly because: 'rewound'
      readonly by: readonly (Because & { readonly undoId: string })[]
    }
  | { readonly sent: false; readonly because: 'covered'; readonly compaction: string; readonly by: Because }

/** Everything that touched one message, and where it is shown now. */
export interface WhyView {
  readonly session: string
  readonly revision: number
  readonly message: string
  readonly kind: 'message' | 'note'
  readonly role: Role | null
  /** The session that it was written to, where this one inherits it; else null. */
  readonly inheritedFrom: string | null
  /** Those of the session that it was written to first; each log in its order. */
  readonly events: readonly MessageTouch[]
  readonly transcript: TranscriptSight
  readonly context: ContextSight
  /** Branches, and branches of those, that begin with it; in the order of their start. */
  readonly heirs: readonly Heir[]
}
