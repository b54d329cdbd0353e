import type { TitleAuthor } from '@refold/events'
import { defineTable, integer, nullable, stream, text } from '../rows/table.ts'
import type { TableDefinition } from '../rows/port.ts'

/** A title that is taken, in Unicode NFC; the key is what makes titles unique. */
export interface TitleRow {
  namespace: string
  name: string
  stream: string
}

/** For a title that several wanted: every `name #N` below `free` is taken, so that the next one is found at once. */
export interface TitleNumberRow {
  namespace: string
  name: string
  free: number
}

/** What a session was called from `revision` on, as lists showed it. */
export interface TitleSpanRow {
  stream: string
  revision: number
  title: string | null
  titleBy: TitleAuthor | null
  /** Event that gave the title: what is taken out of that is taken out of here. */
  given: number | null
}

export const titles: TableDefinition<TitleRow> = defineTable<TitleRow>({
  name: 'titles',
  columns: { namespace: text, name: text, stream },
  key: ['namespace', 'name'],
})

export const titleNumbers: TableDefinition<TitleNumberRow> = defineTable<TitleNumberRow>({
  name: 'titleNumbers',
  columns: { namespace: text, name: text, free: integer },
  key: ['namespace', 'name'],
})

export const titleSpans: TableDefinition<TitleSpanRow> = defineTable<TitleSpanRow>({
  name: 'titleSpans',
  columns: { stream, revision: integer, title: nullable(text), titleBy: nullable(text), given: nullable(integer) },
  key: ['stream', 'revision'],
})
