import type { DelegateReported, OriginKind } from '@refold/events'
import { defineTable, integer, nullable, stream, text } from '../rows/table.ts'
import type { TableDefinition } from '../rows/port.ts'

/** A part of a session between two rotations. */
export interface SegmentRow {
  stream: string
  segment: string
  /** Where it begins; the first one at -1, before all events. */
  revision: number
}

/** Where a session came from, by its own first event. */
export interface EdgeRow {
  stream: string
  namespace: string
  session: string
  /** A root has no edge. */
  kind: Exclude<OriginKind, 'root'>
  parent: string | null
  parentStream: string | null
  startPosition: number
}

/** A delegate as its parent knows it. */
export interface DelegateRow {
  stream: string
  child: string
  childStream: string
  /** Event that spawned it; null where only the child's own start says so. */
  spawned: number | null
  /** The newest report: its event and outcome. */
  reported: number | null
  outcome: DelegateReported['data']['outcome'] | null
}

/** Each report of a delegate, so that the past knows which was the newest then. */
export interface ReportRow {
  stream: string
  childStream: string
  revision: number
}

export const segments: TableDefinition<SegmentRow> = defineTable<SegmentRow>({
  name: 'segments',
  columns: { stream, segment: text, revision: integer },
  key: ['stream', 'segment'],
  ordered: { revision: ['stream', 'revision'] },
})

export const edges: TableDefinition<EdgeRow> = defineTable<EdgeRow>({
  name: 'edges',
  columns: {
    stream,
    namespace: text,
    session: text,
    kind: text,
    parent: nullable(text),
    parentStream: nullable(stream),
    startPosition: integer,
  },
  key: ['stream'],
  ordered: { parent: ['parentStream', 'startPosition'] },
})

export const delegates: TableDefinition<DelegateRow> = defineTable<DelegateRow>({
  name: 'delegates',
  columns: {
    stream,
    child: text,
    childStream: stream,
    spawned: nullable(integer),
    reported: nullable(integer),
    outcome: nullable(text),
  },
  key: ['stream', 'childStream'],
  ordered: { child: ['childStream'] },
})

export const reports: TableDefinition<ReportRow> = defineTable<ReportRow>({
  name: 'reports',
  columns: { stream, childStream: stream, revision: integer },
  key: ['stream', 'childStream', 'revision'],
})
