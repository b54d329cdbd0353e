import type { ListQuery, SessionList } from './session-list.ts'

export interface ReplayOptions {
  /** A position in the log, or a time (epoch milliseconds): the longest beginning recorded no later. Absent: all there is. */
  readonly until?: number | { readonly time: number }
  /** Which of the sessions to list. */
  readonly list?: ListQuery
  /** Called after each page. */
  readonly onProgress?: (progress: ReplayProgress) => void
  readonly signal?: AbortSignal
}

export interface ReplayProgress {
  /** Events folded so far. */
  readonly events: number
  /** Position up to which they go, and that of the log's last event. */
  readonly position: number
  readonly head: number
}

/** The session list as it was at a point in the log. */
export interface ReplayedList extends SessionList {
  readonly replay: {
    readonly events: number
    /** Of the last event that was folded; 0 for none. */
    readonly position: number
    /** Epoch milliseconds: the time by whose clock the list is shown; null for an empty log. */
    readonly at: number | null
  }
}
