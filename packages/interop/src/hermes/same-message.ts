import type { Entry } from './entry.ts'
import { faceOf } from './face.ts'
import type { MessageRow } from './message-row.ts'

/**
 * Could this row hold that entry? Calls and results are known by their ids, for their texts are cut and
 * stubbed; all else by its text. Equal words alone never make a copy: the caller also asks where and when.
 */
export function sameMessage(entry: Entry, row: MessageRow): boolean {
  if (entry.kind === 'summary') return row.carrier !== null && row.carrier.summary.trim() === entry.text.trim()
  if (entry.role !== row.role || !platformIdsAgree(entry, row)) return false
  if (row.role === 'tool') return sameResult(entry, row)
  if (row.callIds.length > 0 || entry.first.callIds.length > 0) return sameCalls(entry.first.callIds, row.callIds)
  const face = faceOf(row.text)
  if (!entry.faces.has(face)) return false
  return face !== '' || sameWithoutText(entry.first, row)
}

export function sameUid(entry: Entry, row: MessageRow): boolean {
  return (
    row.uid !== null &&
    entry.role === row.role &&
    entry.uses.some((use) => use.as !== 'merged' && use.row.uid === row.uid)
  )
}

function platformIdsAgree(entry: Entry, row: MessageRow): boolean {
  if (row.platformId === null) return true
  return entry.uses.every(
    (use) => use.row.platformId === null || use.as === 'merged' || use.row.platformId === row.platformId,
  )
}

function sameResult(entry: Entry, row: MessageRow): boolean {
  if (row.toolCallId !== null || entry.first.toolCallId !== null) return row.toolCallId === entry.first.toolCallId
  return row.toolName === entry.first.toolName && entry.faces.has(faceOf(row.text))
}

function sameCalls(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, at) => id === b[at])
}

function sameWithoutText(a: MessageRow, b: MessageRow): boolean {
  return a.reasoning === b.reasoning && a.callsUnreadable === b.callsUnreadable && a.parts.length === b.parts.length
}
