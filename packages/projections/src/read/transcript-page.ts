import { formsBetween } from './entry-forms.ts'
import { rangeOf } from './hidden-at.ts'
import { hiddenIn, levelsOf, type Level } from './levels.ts'
import { isShown, plannedEntry, type PlannedEntry, type TranscriptReaders } from './planned-entry.ts'
import { walkEntries, type Walked } from './walk-entries.ts'

export interface TranscriptPageQuery {
  /** Absent: 100; at least 1. */
  readonly limit?: number
  /** From an earlier page of the same transcript. */
  readonly cursor?: string
  /** As of this revision of the session. */
  readonly at?: number
}

export interface PlannedPage {
  readonly ok: true
  /** Oldest first. */
  readonly entries: readonly PlannedEntry[]
  /** Goes back to older ones; null at the beginning. */
  readonly cursor: string | null
}

const DEFAULT_LIMIT = 100

/**
 * The newest entries of a transcript, or those before a cursor. Costs as much as the page, the rewinds that reach into it
 * or beyond its end, and the levels of branches; not the length of the session.
 */
export function transcriptPage(
  rows: TranscriptReaders,
  stream: string,
  query: TranscriptPageQuery = {},
): PlannedPage | { readonly ok: false; readonly code: 'bad-cursor'; readonly cursor: string } {
  const { cursor, at = Infinity } = query
  const limit = Math.max(1, query.limit ?? DEFAULT_LIMIT)
  const levels = levelsOf(rows, stream, at)
  const end = cursor === undefined ? levels[0].bound : Number(cursor)
  if (cursor !== undefined && !/^[0-9]+$/.test(cursor)) return { ok: false, code: 'bad-cursor', cursor }
  const page: Walked[] = []
  let before: string | null = null
  for (const walked of backwards(rows, levels, Math.min(end, levels[0].bound), Math.min(limit + 1, 256))) {
    if (!isShown(rows, levels, walked)) continue
    const oldest = page.at(-1)
    if (page.length >= limit) {
      before = String(oldest?.entry.n ?? 0)
      break
    }
    page.push(walked)
  }
  page.reverse()
  const formsOf = formsBetween(rows, levels, page[0]?.entry.n ?? 0, end)
  return { ok: true, entries: page.map((walked) => plannedEntry(rows, levels, formsOf, walked)), cursor: before }
}

/** The entries in sight before one of them, the newest first. Reads rewinds as far back as it gets, in growing steps. */
function* backwards(
  rows: TranscriptReaders,
  levels: readonly Level[],
  end: number,
  chunk: number,
): Generator<Walked, void> {
  let to = end
  for (let stretch = 2 * chunk; to > 0; stretch *= 2) {
    const from = Math.max(0, to - stretch)
    const hidden = hiddenIn(rows, levels, from)
    yield* walkEntries(rows, { levels, hidden, from, to, backwards: true, chunk })
    to = rangeOf(hidden, from - 1)?.from ?? from
  }
}
