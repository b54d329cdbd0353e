import { defineTable, integer, stream, text } from '../rows/table.ts'
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
