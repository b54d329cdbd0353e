import type { Json } from '@refold/events'
import {
  boolean,
  defineTable,
  integer,
  json,
  nullable,
  real,
  stream,
  text,
  type TableDefinition,
  type TableDefinitions,
} from '@refold/projections'

/** A row with a column of each kind, null and not. */
export interface SampleRow {
  stream: string
  n: number
  name: string | null
  weight: number
  flag: boolean
  count: number | null
  parent: string | null
  extra: Json
}

export interface SampleTables {
  samples: SampleRow
}

export const samples: TableDefinition<SampleRow> = defineTable<SampleRow>({
  name: 'samples',
  columns: {
    stream,
    n: integer,
    name: nullable(text),
    weight: real,
    flag: boolean,
    count: nullable(integer),
    parent: nullable(stream),
    extra: json,
  },
  key: ['stream', 'n'],
  unique: { name: ['name'], weight: ['stream', 'weight', 'count'] },
  ordered: { name: ['name'], weight: ['flag', 'weight'], parent: ['parent'], count: ['stream', 'count', 'flag'] },
})

export const sampleTables: TableDefinitions<SampleTables> = { samples }
