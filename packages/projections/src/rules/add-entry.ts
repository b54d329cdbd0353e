import type { Provenance } from '@refold/events'
import type { TableRows } from '../tables.ts'
import { isShownMessage } from '../read/entry-role.ts'
import { emptyTranscript } from '../read/levels.ts'
import type { EntryKind, EntryRow, TranscriptRow } from './transcript-rows.ts'

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
export function addEntry(
  rows: TableRows,
  { stream, revision }: { readonly stream: string; readonly revision: number },
  entry: NewEntry,
): boolean {
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
  rows.transcripts.update([stream], (counters) => {
    counters.revision = Math.max(counters.revision, revision)
    counters.next = transcript.next + 1
    counters.shown = transcript.shown + (isShownMessage(row) ? 1 : 0)
  })
  return true
}
