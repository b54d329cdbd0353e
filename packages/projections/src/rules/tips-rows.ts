import type { EndClass, Json, OriginKind, TitleAuthor } from '@refold/events'
import { boolean, defineTable, integer, json, nullable, real, stream, text } from '../rows/table.ts'
import type { TableDefinition } from '../rows/port.ts'
import { copyTip } from './copy-tip.ts'

/** Where a session is listed: in the plain list, with the archived ones, only among all, or nowhere. */
export type ListClass = 'listed' | 'archived' | 'unlisted' | 'deleted'

/** One session as lists show it: facts only. The status word depends on the clock and is made at the edge. */
export interface TipRow {
  stream: string
  namespace: string
  session: string
  /** Id of the newest segment. */
  tip: string
  listClass: ListClass
  /** What the list sorts titles by: the name that a person sees, in lower case. */
  sortName: string

  /** Its `SessionStarted` was seen; only the first counts. */
  started: boolean
  /** Epoch milliseconds. `startKnown` is false while it is only the time of recording of an import. */
  startedAt: number
  startKnown: boolean
  /** Position of the stream's first event. */
  startPosition: number
  /** The newest time of a message, never before `startedAt`; and the position of that message. */
  lastActivityAt: number
  activityPosition: number

  title: string | null
  titleBy: TitleAuthor | null
  /** Event that gave it. */
  titleRevision: number | null
  /** Its name in the titles table; null while it holds none. */
  titleHeld: string | null
  preview: string | null
  /** Entry that the preview is of. */
  previewEntry: number | null

  turn: string | null
  turnHolder: string | null
  leaseMs: number
  leaseUntil: number
  endClass: EndClass | null
  endReason: string | null
  endedAt: number | null
  /** It is a delegate and has reported. */
  reported: boolean

  /** Who archived it. */
  archived: 'person' | 'idle' | null
  pinned: boolean
  hidden: boolean
  tags: Json
  workspace: string | null
  model: string | null
  surface: string | null

  originKind: OriginKind
  originSession: string | null
  /** Last message that a branch began with. */
  originMessage: string | null
  parentDeleted: boolean
  /** The first of a circle of delegates: it counts as root. */
  circleRoot: boolean
  deleted: boolean
  purged: boolean

  /** Messages that its transcript shows, inherited ones included. */
  messages: number
  /** Delegates that it spawned and that are not deleted. */
  delegates: number
  /** Tokens of the main loop alone; the money is that of all tasks. */
  inputTokens: number
  outputTokens: number
  costUsd: number

  /** Failed compactions since the last one that succeeded, and the time before which nobody should try again. */
  compactionFailures: number
  cooldownUntil: number | null
}

/** First words of a person's message, once for each text it has had. */
export interface PreviewRow {
  stream: string
  n: number
  revision: number
  text: string
}

export interface ListCountRow {
  namespace: string
  listClass: ListClass
  count: number
}

/** Why a session is deleted: by its own event, or because the deletion of `seed` took it along. */
export interface DeletionRow {
  namespace: string
  session: string
  deletionId: string
  seed: string
}

/** That something was taken out of the event `target` for good; of all events of the stream where that is -1. */
export interface ErasureRow {
  stream: string
  target: number
  revision: number
}

export const tips: TableDefinition<TipRow> = defineTable<TipRow>({
  name: 'tips',
  columns: {
    stream,
    namespace: text,
    session: text,
    tip: text,
    listClass: text,
    sortName: text,
    started: boolean,
    startedAt: real,
    startKnown: boolean,
    startPosition: integer,
    lastActivityAt: real,
    activityPosition: integer,
    title: nullable(text),
    titleBy: nullable(text),
    titleRevision: nullable(integer),
    titleHeld: nullable(text),
    preview: nullable(text),
    previewEntry: nullable(integer),
    turn: nullable(text),
    turnHolder: nullable(text),
    leaseMs: real,
    leaseUntil: real,
    endClass: nullable(text),
    endReason: nullable(text),
    endedAt: nullable(real),
    reported: boolean,
    archived: nullable(text),
    pinned: boolean,
    hidden: boolean,
    tags: json,
    workspace: nullable(text),
    model: nullable(text),
    surface: nullable(text),
    originKind: text,
    originSession: nullable(text),
    originMessage: nullable(text),
    parentDeleted: boolean,
    circleRoot: boolean,
    deleted: boolean,
    purged: boolean,
    messages: integer,
    delegates: integer,
    inputTokens: real,
    outputTokens: real,
    costUsd: real,
    compactionFailures: integer,
    cooldownUntil: nullable(real),
  },
  key: ['stream'],
  ordered: {
    activity: ['namespace', 'listClass', 'lastActivityAt', 'activityPosition'],
    start: ['namespace', 'listClass', 'startedAt', 'startPosition'],
    title: ['namespace', 'listClass', 'sortName', 'startPosition'],
  },
  copy: copyTip,
})

export const previews: TableDefinition<PreviewRow> = defineTable<PreviewRow>({
  name: 'previews',
  columns: { stream, n: integer, revision: integer, text },
  key: ['stream', 'n', 'revision'],
})

export const listCounts: TableDefinition<ListCountRow> = defineTable<ListCountRow>({
  name: 'listCounts',
  columns: { namespace: text, listClass: text, count: integer },
  key: ['namespace', 'listClass'],
})

export const deletions: TableDefinition<DeletionRow> = defineTable<DeletionRow>({
  name: 'deletions',
  columns: { namespace: text, session: text, deletionId: text, seed: text },
  key: ['namespace', 'session', 'deletionId', 'seed'],
  ordered: { seed: ['namespace', 'seed', 'deletionId'] },
})

export const erasures: TableDefinition<ErasureRow> = defineTable<ErasureRow>({
  name: 'erasures',
  columns: { stream, target: integer, revision: integer },
  key: ['stream', 'target', 'revision'],
})
