import type { Part, Role } from '@refold/events'

/** One message as the model is sent it, large texts resolved. */
export interface ContextMessage {
  readonly role: Role
  readonly parts: readonly Part[]
  readonly standsFor: 'summary' | 'message'
  /** Id of the message, or of the compaction whose summary it is. */
  readonly id: string
}

/** What the model is sent next, or was at the revision asked for. */
export interface ContextView {
  readonly session: string
  readonly segment: string
  readonly revision: number
  readonly digest: string
  /** UTF-8 bytes as rendered, an image or file as a fixed number. */
  readonly bytes: number
  readonly systemPrompt: string | null
  readonly messages: readonly ContextMessage[]
}
