import type { Entry } from './entry.ts'
import type { MessageRow } from './message-row.ts'

/** A summary that took the place of messages, as found among the rows. */
export interface Compaction {
  readonly summary: Entry
  readonly row: MessageRow
  /**
   * `in place` archived what it covers, `rotation` opened a new segment, `failed` left originals and copies
   * side by side because the new segment could not be written.
   */
  readonly how: 'in place' | 'rotation' | 'failed'
  /** What was live afterwards, in order, without the summary. */
  readonly kept: readonly Entry[]
  readonly covered: readonly Entry[]
  /** Came from another surface after the compacting one had read: neither summarised nor kept. */
  readonly unread: readonly Entry[]
  /** The message whose row also holds the summary. */
  readonly carriedBy: Entry | null
}
