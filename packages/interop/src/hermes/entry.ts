import type { MessageRow } from './message-row.ts'
import { faceOf } from './face.ts'

/** One thing that was said, summarised or announced, with all rows that hold it. */
export interface Entry {
  readonly kind: 'message' | 'notice' | 'summary'
  /** Names the native row that held it first. */
  readonly key: string
  readonly role: string
  readonly segmentId: string
  readonly text: string
  readonly first: MessageRow
  readonly uses: RowUse[]
  /** The texts under which copies of it may appear. */
  readonly faces: Set<string>
  readonly noticeKind: string | null
}

/** `own` first held it; `copy` repeats it, `carrier` with a summary around it, `merged` together with others. */
export interface RowUse {
  readonly row: MessageRow
  readonly as: 'own' | 'copy' | 'carrier' | 'merged' | 'redelivery'
}

export function keyOf(row: MessageRow): string {
  return `${row.sessionId}/${row.id}`
}

export function newEntry(
  kind: Entry['kind'],
  row: MessageRow,
  text: string,
  as: RowUse['as'],
  details: { readonly part?: string; readonly noticeKind?: string } = {},
): Entry {
  return {
    kind,
    key: details.part === undefined ? keyOf(row) : `${keyOf(row)}#${details.part}`,
    role: row.role,
    segmentId: row.sessionId,
    text,
    first: row,
    uses: [{ row, as }],
    faces: new Set([faceOf(text)]),
    noticeKind: details.noticeKind ?? null,
  }
}

export function attach(entry: Entry, row: MessageRow, as: RowUse['as']): void {
  entry.uses.push({ row, as })
  if (as === 'copy' || as === 'carrier') entry.faces.add(faceOf(row.text))
}

/**
 * The newest row says whether a message was undone, since an undo reaches the live copy and not the archived
 * original. A second delivery that was set aside says nothing about the first.
 */
export function isUndone(entry: Entry): boolean {
  let newest: RowUse | undefined
  for (const use of entry.uses) {
    if (use.as === 'redelivery' && use.row.state === 'gone') continue
    if (newest === undefined || use.row.id > newest.row.id) newest = use
  }
  return newest?.row.state === 'gone'
}

/** A copy of an entry that another conversation begins with; what happens to it there stays there. */
export function inherit(entry: Entry): Entry {
  return { ...entry, uses: [...entry.uses], faces: new Set(entry.faces) }
}
