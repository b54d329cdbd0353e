import type { Finding } from './finding.ts'
import type { FindingCode } from './finding-kinds.ts'

export interface DoctorProgress {
  readonly stage: 'log' | 'rows' | 'explain' | 'repair'
  readonly done: number
  readonly total: number
}

export interface DoctorOptions {
  /** Mends what can be mended without a guess, then looks again. */
  readonly repair?: boolean
  /** Most findings of one code to tell in full; all are counted. Absent: 20. */
  readonly mostOfOneCode?: number
  readonly onProgress?: (progress: DoctorProgress) => void
  readonly signal?: AbortSignal
}

/** Something that a repair did. */
export interface Mended {
  readonly action: 'rows-rebuilt' | 'search-rebuilt' | 'claim-released' | 'claim-taken' | 'leftovers-removed'
  readonly message: string
}

export interface DoctorReport {
  /** True where there is no damage; notices do not count. */
  readonly ok: boolean
  /** Position up to which the log was looked at. */
  readonly position: number
  readonly streams: number
  readonly events: number
  readonly blobs: number
  /** Position as of which rows were compared; null where they were not, or are not stored. */
  readonly views: number | null
  /** After a repair: what is still there. */
  readonly findings: readonly Finding[]
  /** How many there are of each code. */
  readonly counts: { readonly [C in FindingCode]?: number }
  readonly mended: readonly Mended[]
}
