import type { AnyRecorded } from '@refold/events'
import { ownTime } from '@refold/projections'

/** When a message or note was said, by its first event, as transcripts show it: epoch milliseconds. */
export function timeOf({ data, recordedAt }: AnyRecorded): number {
  const at = typeof data === 'object' && data !== null && 'at' in data ? data.at : undefined
  return ownTime(typeof at === 'number' ? at : undefined, recordedAt) ?? recordedAt
}
