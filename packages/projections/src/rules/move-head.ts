import type { Recorded } from '@refold/events'
import { TIMES_BLOCK, type EventTimesRow, type TranscriptRow } from './transcript-rows.ts'

/** Where in its stream an event stands, and when it was recorded. */
export type Moment = Pick<Recorded, 'stream' | 'revision' | 'recordedAt'>

/**
 * Moves a stream's head to an event and counts its time, once however many rules ask. Returns the times of a block that it
 * left behind, which are to be written down.
 */
export function moveHead(transcript: TranscriptRow, { revision, recordedAt }: Moment): EventTimesRow | undefined {
  const { stream, revision: before, latest, timed } = transcript
  if (revision <= before) return undefined
  transcript.revision = revision
  const block = blockOf(before)
  if (before >= 0 && block === blockOf(revision)) {
    transcript.latest = Math.max(latest, recordedAt)
    transcript.timed = timed + 1
    return undefined
  }
  transcript.latest = recordedAt
  transcript.timed = 1
  return before < 0 ? undefined : { stream, block, latest, timed }
}

const blockOf = (revision: number): number => Math.floor(revision / TIMES_BLOCK)
