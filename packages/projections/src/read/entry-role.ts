import type { EntryRow } from '../rules/transcript-rows.ts'

/** What the transcript counts as a message. */
export function isShownMessage(entry: Pick<EntryRow, 'kind' | 'shownTo'>): boolean {
  return entry.kind === 'message' && entry.shownTo !== 'model'
}

/** What the model is sent: messages and notes that are not for people only, unless their turn had failed by then. */
export function isInContext(entry: Pick<EntryRow, 'kind' | 'shownTo' | 'failedAt'>, at: number): boolean {
  if (entry.kind !== 'message' && entry.kind !== 'note') return false
  return entry.shownTo !== 'person' && (entry.failedAt === null || entry.failedAt > at)
}
