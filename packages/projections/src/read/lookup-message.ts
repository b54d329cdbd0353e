import type { EventRef } from '@refold/events'
import type { TableReaders } from '../tables.ts'
import { formsBetween, refOf } from './entry-forms.ts'
import { rangeOf } from './hidden-at.ts'
import { findEntry, hiddenIn, levelsOf } from './levels.ts'

export type MessageReaders = Pick<TableReaders, 'transcripts' | 'entries' | 'rewinds' | 'versions' | 'wireForms'>

/** Where one message (or note) of a session is written down, and whether it is in sight. */
export interface FoundMessage {
  readonly kind: 'message' | 'note'
  readonly id: string
  /** Its number among the session's entries. */
  readonly n: number
  /** Event with which it first appeared, in the log of the session that it was written to. */
  readonly first: EventRef
  readonly content: EventRef
  readonly inherited: boolean
  readonly hidden: boolean
  readonly partial: boolean
  readonly failed: boolean
  readonly shownTo: 'both' | 'person' | 'model'
}

/** A message by its id, in the session or in what it inherits, as of a revision or now. */
export function lookupMessage(
  rows: MessageReaders,
  stream: string,
  id: string,
  at: number = Infinity,
): FoundMessage | undefined {
  const levels = levelsOf(rows, stream, at)
  const found = findEntry(rows, levels, 'message', id) ?? findEntry(rows, levels, 'note', id)
  if (!found) return undefined
  const { entry, level } = found
  const { content, partial } = formsBetween(rows, levels, entry.n, entry.n + 1)(found)
  return {
    kind: entry.kind === 'note' ? 'note' : 'message',
    id,
    n: entry.n,
    first: { stream: entry.stream, revision: entry.revision },
    content: refOf(levels, content),
    inherited: level > 0,
    hidden: rangeOf(hiddenIn(rows, levels), entry.n) !== undefined,
    partial,
    failed: entry.failedAt !== null && entry.failedAt <= (levels[level]?.at ?? Infinity),
    shownTo: entry.shownTo,
  }
}
