import type { Json } from '@refold/events'
import { boolean, defineTable, integer, json, nullable, stream, text } from '../rows/table.ts'
import type { TableDefinition } from '../rows/port.ts'

/** A summary and what it covers: the context's entries before `coveredTo` that were not kept. */
export interface CompactionRow {
  stream: string
  revision: number
  id: string
  coveredTo: number
  /** Kept entry whose wire form holds the summary. */
  carrier: number | null
  undoneAt: number | null
  /** When a covered entry was first edited or redacted after it. */
  brokenAt: number | null
  /** Neither undone nor broken; whether it stands also depends on what is hidden. */
  live: boolean
}

/** An entry that stays word for word under a compaction. */
export interface KeptRow {
  stream: string
  revision: number
  n: number
  /** The compaction itself, or the later event that completed what was still growing when it was summarised. */
  since: number
}

/** How the model sees an entry from `revision` on. */
export interface WireFormRow {
  stream: string
  n: number
  revision: number
  /** Place in a compaction's list, whose form holds only under that compaction; null for one set by itself. */
  place: number | null
  /** The model sees it like people again. */
  cleared: boolean
}

/** A setting's value from `revision` on. */
export interface SettingRow {
  stream: string
  /** The key; with `:` and the tag, route, reaction or host's name where there are many of a kind. */
  name: string
  revision: number
  /** Null for prompt and goal, whose texts stay in the log. */
  value: Json
  /** False when the value was taken away. */
  present: boolean
}

export const compactions: TableDefinition<CompactionRow> = defineTable<CompactionRow>({
  name: 'compactions',
  columns: {
    stream,
    revision: integer,
    id: text,
    coveredTo: integer,
    carrier: nullable(integer),
    undoneAt: nullable(integer),
    brokenAt: nullable(integer),
    live: boolean,
  },
  key: ['stream', 'revision'],
  unique: { id: ['stream', 'id'] },
  ordered: { live: ['stream', 'live', 'coveredTo'] },
})

export const kept: TableDefinition<KeptRow> = defineTable<KeptRow>({
  name: 'kept',
  columns: { stream, revision: integer, n: integer, since: integer },
  key: ['stream', 'revision', 'n'],
})

export const wireForms: TableDefinition<WireFormRow> = defineTable<WireFormRow>({
  name: 'wireForms',
  columns: { stream, n: integer, revision: integer, place: nullable(integer), cleared: boolean },
  key: ['stream', 'n', 'revision'],
})

export const settings: TableDefinition<SettingRow> = defineTable<SettingRow>({
  name: 'settings',
  columns: { stream, name: text, revision: integer, value: json, present: boolean },
  key: ['stream', 'name', 'revision'],
  ordered: { revision: ['stream', 'revision'] },
})
