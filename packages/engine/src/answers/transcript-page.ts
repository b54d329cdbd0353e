import type { TranscriptEntry } from '@refold/projections'
import type { Point } from './point.ts'

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
  /** The transcript as it was then. */
  readonly at?: Point
}
