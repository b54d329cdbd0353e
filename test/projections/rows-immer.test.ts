import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { applyChange, immerRows, plainRows } from '@refold/projections'
import { rowsContract, sampleRow } from './rows-contract.ts'
import { sampleTables, type SampleTables } from './sample-table.ts'
import { operation, perform } from './table-operation.ts'

const all = { prefix: [], limit: Infinity }

rowsContract('immer rows', () => ({
  rows: immerRows<SampleTables>(sampleTables).rows,
  settle: () => undefined,
  close: () => undefined,
}))

test('an insert, an update and a removal are told by key, the update as patches of its row', () => {
  const { rows, takeChanges } = immerRows<SampleTables>(sampleTables)
  const key = ['s', 0]
  rows.samples.insert(sampleRow())
  rows.samples.update(key, (row) => void (row.weight = 7))
  rows.samples.remove(...key)
  expect(takeChanges()).toEqual([
    { kind: 'insert', table: 'samples', key, row: sampleRow() },
    { kind: 'update', table: 'samples', key, patches: [{ op: 'replace', path: ['weight'], value: 7 }] },
    { kind: 'remove', table: 'samples', key },
  ])
  expect(takeChanges()).toEqual([])
})

test('what was refused or changes nothing is not told', () => {
  const { rows, takeChanges } = immerRows<SampleTables>(sampleTables)
  rows.samples.insert(sampleRow({ name: 'a' }))
  rows.samples.insert(sampleRow({ n: 1, weight: 1, name: 'b' }))
  takeChanges()
  rows.samples.insert(sampleRow())
  rows.samples.update(['s', 1], (row) => void (row.name = 'a'))
  rows.samples.update(['s', 1], (row) => void (row.n = 5))
  rows.samples.update(['s', 1], (row) => void (row.name = 'b'))
  rows.samples.update(['s', 2], (row) => void (row.name = 'c'))
  rows.samples.put(sampleRow({ name: 'a' }))
  rows.samples.remove('s', 2)
  expect(takeChanges()).toEqual([])
})

const seed = 20_261_130
test.prop([fc.array(operation, { maxLength: 60, size: 'max' })], { seed, numRuns: 300 })(
  `the changes, sent as JSON and applied elsewhere, give the same rows (seed ${seed})`,
  (operations) => {
    const { rows, takeChanges } = immerRows<SampleTables>(sampleTables)
    const elsewhere = plainRows<SampleTables>(sampleTables)
    for (const operation of operations) {
      perform(rows.samples, operation, () => undefined)
      const sent: unknown = JSON.parse(JSON.stringify(takeChanges()))
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was just taken
      for (const change of sent as ReturnType<typeof takeChanges>) expect(applyChange(elsewhere, change)).toBe(true)
    }
    expect(elsewhere.samples.range('key', all)).toStrictEqual(rows.samples.range('key', all))
  },
)
