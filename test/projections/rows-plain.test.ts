import { plainRows } from '@refold/projections'
import { rowsContract } from './rows-contract.ts'
import { sampleTables, type SampleTables } from './sample-table.ts'

rowsContract('plain rows', () => ({
  rows: plainRows<SampleTables>(sampleTables),
  settle: () => undefined,
  close: () => undefined,
}))
