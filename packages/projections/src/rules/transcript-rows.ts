import type { Provenance } from '@refold/events'
import { defineTable, boolean, integer, nullable, real, stream, text } from '../rows/table.ts'
import type { TableDefinition } from '../rows/port.ts'

/** What an entry of a transcript is. Messages and notes may be in the context, too; all others are markers. */
export type EntryKind =
  | 'message'
  | 'note'
  | 'compaction'
  | 'rotation'
  | 'delegate'
  | 'model'
  | 'branch'
  | 'end'
  | 'reopen'
  | 'alternative'

/** One thing that transcript or context show, at the place of its first appearance; refers to the log, copies nothing. */
export interface EntryRow {
  stream: string
  /** Dense, from 0 within all that the session begins with: a branch's own entries follow its inherited ones. */
  n: number
  kind: EntryKind
  /** Of the message, note, compaction, segment, delegate session or undo; else the revision in words. */
  id: string
  /** Where it first appeared, in `stream`. */
  revision: number
  /** Event with its newest text; the same where it was never edited, completed or grown. */
  content: number
  /** Event that set its newest wire form by itself, also one that took it away; compactions' own are not counted. */
  wire: number | null
  /** Number of the newest partial text; null once complete. */
  partial: number | null
  role: string | null
  provenance: Provenance | null
  shownTo: 'both' | 'person' | 'model'
  /** Turn in which it arrived. */
  turn: string | null
  /** Event since which its turn counts as failed: from then on it is in no context. */
  failedAt: number | null
  /** Messages shown to people before it, hidden ones included, inherited ones too. */
  shownBefore: number
}

/** One text of an entry that has had several. A branch has rows of its own for inherited entries that it edits. */
export interface VersionRow {
  stream: string
  n: number
  revision: number
  kind: 'partial' | 'complete' | 'edit'
  /** Number of a partial text. */
  number: number | null
}

/** Entries `[fromEntry, toEntry)` left at `revision` and came back at `until`. One undo id may have several rows. */
export interface RewindRow {
  stream: string
  undoId: string
  fromEntry: number
  toEntry: number
  revision: number
  until: number | null
  open: boolean
  /** Number of the first entry that came after it. */
  next: number
  shownAtNext: number
  /** `shownBefore` at both ends, so that counting what is hidden looks nothing up. */
  shownAtFrom: number
  shownAtTo: number
  /** Undo id that its event took back; null for a rewind proper. */
  undoes: string | null
  /** True where only single messages left: what came after it stays when it is undone. */
  single: boolean
}

/** One session's numbers, and what it begins with. */
export interface TranscriptRow {
  stream: string
  /** Newest event folded, of any type that is known; -1 before the first. */
  revision: number
  /** Of the events folded in its block of {@link TIMES_BLOCK} revisions: the latest time of recording, and how many they are. */
  latest: number
  timed: number
  /** Number of its next entry. */
  next: number
  /** `shownBefore` of its next entry. */
  shown: number
  /** Stream whose first `inherited` entries it begins with, as they stood at that stream's revision `asOf`. */
  origin: string | null
  asOf: number
  /** Own event that said so: before it the session began with nothing. */
  since: number
  inherited: number
  /** `shownBefore` of its first own entry. */
  inheritedShown: number
}

/** Revisions of one block of times. */
export const TIMES_BLOCK = 256

/** When a stream's events were recorded, a row for each block that it has left behind; so that a time is found without a scan. */
export interface EventTimesRow {
  stream: string
  block: number
  latest: number
  /** Events folded; fewer than {@link TIMES_BLOCK} where some were unknown or erased, so that the log must be asked. */
  timed: number
}

export const entries: TableDefinition<EntryRow> = defineTable<EntryRow>({
  name: 'entries',
  columns: {
    stream,
    n: integer,
    kind: text,
    id: text,
    revision: integer,
    content: integer,
    wire: nullable(integer),
    partial: nullable(integer),
    role: nullable(text),
    provenance: nullable(text),
    shownTo: text,
    turn: nullable(text),
    failedAt: nullable(integer),
    shownBefore: integer,
  },
  key: ['stream', 'n'],
  unique: { id: ['stream', 'kind', 'id'] },
})

export const versions: TableDefinition<VersionRow> = defineTable<VersionRow>({
  name: 'versions',
  columns: { stream, n: integer, revision: integer, kind: text, number: nullable(integer) },
  key: ['stream', 'n', 'revision'],
  ordered: { revision: ['stream', 'revision'] },
})

export const rewinds: TableDefinition<RewindRow> = defineTable<RewindRow>({
  name: 'rewinds',
  columns: {
    stream,
    undoId: text,
    fromEntry: integer,
    toEntry: integer,
    revision: integer,
    until: nullable(integer),
    open: boolean,
    next: integer,
    shownAtNext: integer,
    shownAtFrom: integer,
    shownAtTo: integer,
    undoes: nullable(text),
    single: boolean,
  },
  key: ['stream', 'undoId', 'fromEntry'],
  ordered: { open: ['stream', 'open', 'toEntry'], end: ['stream', 'toEntry'] },
})

export const transcripts: TableDefinition<TranscriptRow> = defineTable<TranscriptRow>({
  name: 'transcripts',
  columns: {
    stream,
    revision: integer,
    latest: real,
    timed: integer,
    next: integer,
    shown: integer,
    origin: nullable(stream),
    asOf: integer,
    since: integer,
    inherited: integer,
    inheritedShown: integer,
  },
  key: ['stream'],
  copy: (row) => ({
    stream: row.stream,
    revision: row.revision,
    latest: row.latest,
    timed: row.timed,
    next: row.next,
    shown: row.shown,
    origin: row.origin,
    asOf: row.asOf,
    since: row.since,
    inherited: row.inherited,
    inheritedShown: row.inheritedShown,
  }),
})

export const eventTimes: TableDefinition<EventTimesRow> = defineTable<EventTimesRow>({
  name: 'eventTimes',
  columns: { stream, block: integer, latest: real, timed: integer },
  key: ['stream', 'block'],
})
