import type { Part, Role } from '@refold/events'

/** One message as the model is sent it, large texts in place. */
export interface ContextMessage {
  readonly role: Role
  readonly parts: readonly Part[]
  readonly standsFor: 'summary' | 'message'
  /** Id of the message, or of the compaction whose summary it is; of the calling message for a repair. */
  readonly id: string
  /** Made on the way out, in the place of a result that never came. */
  readonly repair?: true
}
