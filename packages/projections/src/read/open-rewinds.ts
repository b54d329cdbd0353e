import type { RewindRow } from '../rules/transcript-rows.ts'
import type { TableReaders } from '../tables.ts'

/** The intervals that one undo id names. */
export function rewindsOf(
  rows: Pick<TableReaders, 'rewinds'>,
  stream: string,
  undoId: string,
): readonly Readonly<RewindRow>[] {
  return rows.rewinds.range('key', { prefix: [stream, undoId], limit: Infinity })
}

/** Undo ids of a session that can be taken back, the newest first. */
export function openRewinds(rows: Pick<TableReaders, 'rewinds'>, stream: string): readonly string[] {
  const open = rows.rewinds.range('open', { prefix: [stream, true], limit: Infinity })
  return [...new Set(open.toSorted((a, b) => b.revision - a.revision).map(({ undoId }) => undoId))]
}
