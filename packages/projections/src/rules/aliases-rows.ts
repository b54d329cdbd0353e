import { defineTable, stream, text } from '../rows/table.ts'
import type { TableDefinition } from '../rows/port.ts'

/** A name that leads to a session: its id, a segment's, or the one it had where it was imported from. */
export interface AliasRow {
  namespace: string
  name: string
  stream: string
  kind: 'session' | 'segment' | 'imported'
}

export const aliases: TableDefinition<AliasRow> = defineTable<AliasRow>({
  name: 'aliases',
  columns: { namespace: text, name: text, stream, kind: text },
  key: ['namespace', 'name', 'stream'],
})
