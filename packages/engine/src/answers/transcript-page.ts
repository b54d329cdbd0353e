import type { TranscriptEntry } from '@refold/projections'

export type { MarkerEntry, MessageEntry, TranscriptEntry } from '@refold/projections'

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
