import { sessionStream, type EventRef, type Provenance } from '@refold/events'
import type { EntryKind, EntryRow } from '../rules/transcript-rows.ts'
import type { TableReaders } from '../tables.ts'
import { formsBetween, refOf } from './entry-forms.ts'
import { countHidden, hiddenAt } from './hidden-at.ts'
import { hiddenIn, levelsOf, type Level } from './levels.ts'
import { rewindsOf } from './open-rewinds.ts'
import { walkEntries, type Walked } from './walk-entries.ts'

export type TranscriptReaders = Pick<
  TableReaders,
  'transcripts' | 'entries' | 'versions' | 'rewinds' | 'wireForms' | 'compactions' | 'delegates' | 'tips'
>

/** One entry of a transcript, by reference. */
export interface PlannedEntry {
  readonly kind: EntryKind
  readonly id: string
  /** Of a message; null for all else. */
  readonly role: string | null
  readonly provenance: Provenance | null
  /** Event with which it first appeared, in the log of the session that it was written to. */
  readonly first: EventRef
  /** Event with its newest text. */
  readonly content: EventRef
  /** It comes from a session that this one is a branch of. */
  readonly inherited: boolean
  /** It still grows, or its turn ended before it was complete. */
  readonly partial: boolean
  /** Its turn failed before anything answered it. */
  readonly failed: boolean
  /** What a marker says beyond its event. */
  readonly marker: MarkerFacts
}

export interface MarkerFacts {
  /** Compaction: it was taken back. */
  readonly undone?: boolean
  /** Alternative: how many messages left. */
  readonly messages?: number
  /** Delegate: the event of its newest report. */
  readonly reported?: EventRef
  /** Delegate: its own stream. */
  readonly stream?: string
}

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
 * The newest entries of a transcript, or those before a cursor. Costs as much as the page, the session's rewinds and the
 * levels of branches; not the length of the session.
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
  const walk = {
    levels,
    hidden: hiddenIn(rows, levels),
    from: 0,
    to: Math.min(end, levels[0].bound),
    backwards: true,
    chunk: Math.min(limit + 1, 256),
  }
  const page: Walked[] = []
  let before: string | null = null
  for (const walked of walkEntries(rows, walk)) {
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

/** The mark of a rewind is there only while what it hid is hidden. */
function isShown(rows: TranscriptReaders, levels: readonly Level[], { entry, level }: Walked): boolean {
  if (entry.shownTo === 'model') return false
  if (entry.kind !== 'alternative') return true
  const at = levels[level]?.at ?? Infinity
  return rewindsOf(rows, entry.stream, entry.id).some(({ until }) => until === null || until > at)
}

function plannedEntry(
  rows: TranscriptReaders,
  levels: readonly Level[],
  formsOf: ReturnType<typeof formsBetween>,
  walked: Walked,
): PlannedEntry {
  const { entry, level } = walked
  const at = levels[level]?.at ?? Infinity
  const { content, partial } = formsOf(walked)
  return {
    kind: entry.kind,
    id: entry.id,
    role: entry.role,
    provenance: entry.provenance,
    first: { stream: entry.stream, revision: entry.revision },
    content: refOf(levels, content),
    inherited: level > 0,
    partial,
    failed: entry.failedAt !== null && entry.failedAt <= at,
    marker: markerFacts(rows, entry, at),
  }
}

function markerFacts(rows: TranscriptReaders, entry: Readonly<EntryRow>, at: number): MarkerFacts {
  const { stream, revision, id } = entry
  switch (entry.kind) {
    case 'compaction': {
      const undoneAt = rows.compactions.get(stream, revision)?.undoneAt ?? null
      return { undone: undoneAt !== null && undoneAt <= at }
    }
    case 'alternative':
      return { messages: countHidden(hiddenAt(rewindsOf(rows, stream, id), revision)) }
    case 'delegate': {
      const namespace = rows.tips.get(stream)?.namespace ?? ''
      const child = sessionStream({ namespace, session: id })
      const reported = rows.delegates.get(stream, child)?.reported ?? null
      return {
        stream: child,
        ...(reported !== null && reported <= at && { reported: { stream, revision: reported } }),
      }
    }
    case 'message':
    case 'note':
    case 'rotation':
    case 'model':
    case 'branch':
    case 'end':
    case 'reopen':
      return {}
    default: {
      const never: never = entry.kind
      return never
    }
  }
}
