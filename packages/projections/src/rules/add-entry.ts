import type { Provenance } from '@refold/events'
import type { TableRows } from '../tables.ts'
import { isShownMessage } from '../read/entry-role.ts'
import { emptyTranscript } from '../read/levels.ts'
import { moveHead, type Moment } from './move-head.ts'
import type { EntryKind, EntryRow, EventTimesRow, TranscriptRow } from './transcript-rows.ts'

export interface NewEntry {
  readonly kind: EntryKind
  readonly id: string
  readonly shownTo?: 'both' | 'person' | 'model'
  readonly role?: string
  readonly provenance?: Provenance
  readonly turn?: string | undefined
  readonly partial?: number | undefined
  readonly failed?: boolean | undefined
}

export function transcriptOf(rows: TableRows, stream: string): Readonly<TranscriptRow> {
  return rows.transcripts.get(stream) ?? emptyTranscript(stream)
}

/** Gives an entry the session's next number. False when its kind and id are there already. */
export function addEntry(rows: TableRows, event: Moment, entry: NewEntry): boolean {
  const { stream, revision } = event
  const transcript = transcriptOf(rows, stream)
  const row: EntryRow = {
    stream,
    n: transcript.next,
    kind: entry.kind,
    id: entry.id,
    revision,
    content: revision,
    wire: null,
    partial: entry.partial ?? null,
    role: entry.role ?? null,
    provenance: entry.provenance ?? null,
    shownTo: entry.shownTo ?? 'person',
    turn: entry.turn ?? null,
    failedAt: entry.failed === true ? revision : null,
    shownBefore: transcript.shown,
  }
  if (!rows.entries.insert(row)) return false
  let left: EventTimesRow | undefined
  rows.transcripts.update([stream], (counters) => {
    left = moveHead(counters, event)
    counters.next = transcript.next + 1
    counters.shown = transcript.shown + (isShownMessage(row) ? 1 : 0)
  })
  if (left) rows.eventTimes.insert(left)
  return true
}
