import { parseSessionStream, type EventRef } from '@refold/events'
import type { Scalar } from '@refold/projections'
import { findingKinds, type FindingCode, type Severity } from './finding-kinds.ts'

/** A column of which stored views and log say different things; undefined where there is no row. */
export interface ColumnDrift {
  readonly name: string
  readonly stored: unknown
  readonly folded: unknown
}

/** Where something was found; what does not apply is absent. */
export interface FindingPlace {
  readonly stream?: string
  readonly revision?: number
  readonly position?: number
  readonly blob?: string
  readonly file?: string
  /** Kind of a claim, and its stream. */
  readonly claim?: { readonly kind: string; readonly stream: string; readonly holder: string }
  /** Of a row: its table, its key in the order of the table's key columns, and what differs. */
  readonly table?: string
  readonly key?: readonly Scalar[]
  readonly columns?: readonly ColumnDrift[]
  /** Events that made the row what it should be, the first and the last ones. */
  readonly events?: readonly EventRef[]
}

export interface Finding extends FindingPlace {
  readonly code: FindingCode
  readonly severity: Severity
  /** The session whose stream it is about. */
  readonly session?: string
  /** What was found and where, as a sentence. */
  readonly message: string
  readonly advice: string
}

/** `what` stands before the kind's own sentence. */
export function finding(code: FindingCode, what: string, place: FindingPlace = {}): Finding {
  const { severity, means, advice } = findingKinds[code]
  const session = place.stream === undefined ? undefined : parseSessionStream(place.stream)?.session
  return { code, severity, ...(session !== undefined && { session }), ...place, message: `${what} ${means}`, advice }
}
