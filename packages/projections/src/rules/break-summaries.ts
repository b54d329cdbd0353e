import { heldBy } from '../read/summary-covers.ts'
import type { TableRows } from '../tables.ts'
import type { CompactionRow } from './context-rows.ts'
import type { EntryRow } from './transcript-rows.ts'

/** Summaries that still may stand and cover an entry, which they neither keep nor found hidden. */
function summariesOver(rows: TableRows, stream: string, entry: Readonly<EntryRow>): readonly Readonly<CompactionRow>[] {
  const wasHeldBy = heldBy(rows, stream, entry)
  return rows.compactions
    .range('live', { prefix: [stream, true], after: [entry.n], limit: Infinity })
    .filter((row) => !rows.kept.get(stream, row.revision, entry.n) && wasHeldBy(row))
}

/** An entry says something else now: no summary of the old text stands any more. Each breaks once, so this stays cheap. */
export function breakSummaries(rows: TableRows, stream: string, entry: Readonly<EntryRow>, revision: number): void {
  for (const compaction of summariesOver(rows, stream, entry))
    rows.compactions.update([stream, compaction.revision], (draft) => {
      draft.brokenAt = revision
      draft.live = false
    })
}

/** An answer that still grew when it was summarised has come further: it stays live beside the summary. */
export function keepGrown(rows: TableRows, stream: string, entry: Readonly<EntryRow>, since: number): void {
  for (const compaction of summariesOver(rows, stream, entry))
    rows.kept.insert({ stream, revision: compaction.revision, n: entry.n, since })
}
