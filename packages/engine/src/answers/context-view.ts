import type { ContextMessage } from '@refold/projections'

export type { ContextMessage } from '@refold/projections'

/** What the model is sent next, or was at the point asked for. */
export interface ContextView {
  readonly session: string
  readonly segment: string
  readonly revision: number
  /** Names exactly what it holds; to be given back with a compaction of it. */
  readonly digest: string
  /** UTF-8 bytes as rendered, an image or file as a fixed number. */
  readonly bytes: number
  readonly systemPrompt: string | null
  readonly messages: readonly ContextMessage[]
  /** Compactions that failed since the last one that succeeded, as of now whatever revision was asked for. */
  readonly compactionFailures: number
  /** Epoch milliseconds before which nobody should try to compact again, said with such a failure. */
  readonly cooldownUntil: number | null
}
