import { sessionStream, type EventRef, type Provenance } from '@refold/events'
import type { EntryKind, EntryRow } from '../rules/transcript-rows.ts'
import type { TableReaders } from '../tables.ts'
import { refOf, type formsBetween } from './entry-forms.ts'
import { countHidden, hiddenAt } from './hidden-at.ts'
import type { Level } from './levels.ts'
import { rewindsOf } from './open-rewinds.ts'
import type { Walked } from './walk-entries.ts'

export type TranscriptReaders = Pick<
  TableReaders,
  'transcripts' | 'entries' | 'versions' | 'rewinds' | 'wireForms' | 'compactions' | 'reports' | 'tips'
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

/** The mark of a rewind is there only while what it hid is hidden. */
export function isShown(rows: TranscriptReaders, levels: readonly Level[], { entry, level }: Walked): boolean {
  if (entry.shownTo === 'model') return false
  if (entry.kind !== 'alternative') return true
  const at = levels[level]?.at ?? Infinity
  return rewindsOf(rows, entry.stream, entry.id).some(({ until }) => until === null || until > at)
}

export function plannedEntry(
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
      const before = at === Infinity ? {} : { before: [at + 1] }
      const [report] = rows.reports.range('key', { prefix: [stream, child], ...before, limit: 1, backwards: true })
      return { stream: child, ...(report && { reported: { stream, revision: report.revision } }) }
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
