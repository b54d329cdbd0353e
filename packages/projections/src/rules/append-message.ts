import type { EventOf, Recorded } from '@refold/events'
import { formsBetween } from '../read/entry-forms.ts'
import { findEntry, levelsOf, type Found, type Level } from '../read/levels.ts'
import type { TableRows } from '../tables.ts'
import { addEntry, transcriptOf } from './add-entry.ts'
import { advance } from './open-session.ts'
import type { VersionRow } from './transcript-rows.ts'

/**
 * A new message, or the next text of one that grows. What is there already (complete, or with a higher number) stays as it
 * is.
 */
export function appendMessage(event: Recorded<EventOf<'MessageAppended'>>, rows: TableRows): void {
  const { stream, revision, data } = event
  const { inherited } = transcriptOf(rows, stream)
  if (inherited > 0) {
    const levels = levelsOf(rows, stream)
    const found = findEntry(rows, levels, 'message', data.id)
    if (found && found.level > 0) {
      advance(event, rows)
      return growInherited(event, rows, levels, found)
    }
  }
  const { id, role, provenance, shownTo, turn, partial, failed } = data
  const isNew = addEntry(rows, event, { kind: 'message', id, role, provenance, shownTo, turn, partial, failed })
  if (isNew && partial === undefined) return
  const entry = rows.entries.find('id', stream, 'message', id)
  if (!entry) return
  if (!isNew) {
    advance(event, rows)
    if (entry.partial === null || (partial ?? Infinity) <= entry.partial) return
    rows.entries.update([stream, entry.n], (draft) => {
      draft.content = revision
      draft.partial = partial ?? null
      if (failed === true) draft.failedAt = revision
    })
  }
  rows.versions.insert({ stream, n: entry.n, revision, ...kindOf(partial) })
}

const kindOf = (partial: number | undefined): Pick<VersionRow, 'kind' | 'number'> =>
  partial === undefined ? { kind: 'complete', number: null } : { kind: 'partial', number: partial }

/**
 * A branch goes on with an answer that it inherits unfinished: a version of its own, which its origin never sees. Numbers are
 * compared among its own texts only.
 */
function growInherited(
  { stream, revision, data }: Recorded<EventOf<'MessageAppended'>>,
  rows: TableRows,
  levels: readonly Level[],
  found: Found,
): void {
  const { n } = found.entry
  if (!formsBetween(rows, levels, n, n + 1)(found).partial) return
  const own = rows.versions.range('key', { prefix: [stream, n], limit: Infinity })
  if (own.some(({ number }) => number !== null && (data.partial ?? Infinity) <= number)) return
  rows.versions.insert({ stream, n, revision, ...kindOf(data.partial) })
}

/**
 * Marks what a person said in a turn that failed before anything answered it: it stays readable, and is sent again only
 * on request. Looks back over that turn's entries only.
 */
export function markUnanswered({ stream, revision, data }: Recorded<EventOf<'TurnEnded'>>, rows: TableRows): void {
  const { next, inherited } = transcriptOf(rows, stream)
  const unanswered: number[] = []
  for (let n = next - 1; n >= inherited; n--) {
    const entry = rows.entries.get(stream, n)
    if (entry?.kind !== 'message') continue
    if (entry.turn !== data.turn) break
    if (entry.provenance !== 'person' && entry.provenance !== 'engine') return
    if (entry.provenance === 'person' && entry.failedAt === null) unanswered.push(n)
  }
  for (const n of unanswered)
    rows.entries.update([stream, n], (draft) => {
      draft.failedAt = revision
    })
}
