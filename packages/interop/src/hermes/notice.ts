import type { MessageRow } from './message-row.ts'

/** A row of role user that nobody said: the program tells of an event. */
export interface Notice {
  readonly kind: string
  readonly text: string
  /** An ask that was merged into the notice and has no row of its own. */
  readonly ask: string | null
}

/** Display kinds under which a row of role user is still the words of a person, or text for the model alone. */
const noNotices: ReadonlySet<string> = new Set(['hidden', 'steer'])
const noticeKind = /switch|change|notif|notice|complete|marker|event/

export function noticeIn(row: MessageRow): Notice | null {
  const kind = row.displayKind
  if (row.role !== 'user' || kind === null || noNotices.has(kind)) return null
  const bracketed = /^(\[[^\]\n]*\])\n\n([\s\S]*\S)\s*$/.exec(row.text)
  if (bracketed !== null) return { kind, text: bracketed[1] ?? '', ask: bracketed[2] ?? null }
  return noticeKind.test(kind) || row.text.startsWith('[') ? { kind, text: row.text, ask: null } : null
}

/** A display kind on a user's row that is neither talk, nor hidden, nor recognisably a notice. */
export function isUnknownKind(row: MessageRow): boolean {
  const kind = row.displayKind
  return row.role === 'user' && kind !== null && !noNotices.has(kind) && noticeIn(row) === null
}
