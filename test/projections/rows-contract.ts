import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import type { Rows } from '@refold/projections'
import { naiveTable } from './naive-table.ts'
import { samples, type SampleRow, type SampleTables } from './sample-table.ts'
import { operation, perform } from './table-operation.ts'

/** A port under test. `settle` ends its unit of work; `close` frees what it holds. */
export interface PortUnderTest {
  readonly rows: Rows<SampleTables>
  readonly settle: () => void
  readonly close: () => void
}

export const sampleRow = (changes: Partial<SampleRow> = {}): SampleRow => ({
  stream: 's',
  n: 0,
  name: null,
  weight: 0,
  flag: false,
  count: null,
  parent: null,
  extra: null,
  ...changes,
})

/** What each row port promises, run against one of them. */
export function rowsContract(port: string, open: () => PortUnderTest, { seed = 20_261_130 } = {}): void {
  const withPort = (check: (port: PortUnderTest) => void) => () => {
    const port = open()
    try {
      check(port)
    } finally {
      port.close()
    }
  }

  describe(`${port} keep the promises of a row port`, () => {
    test.prop([fc.array(operation, { maxLength: 60, size: 'max' })], { seed, numRuns: 300 })(
      `answer any sequence of operations as a plain list of rows would, values, types and order (seed ${seed})`,
      (operations) => {
        const model = naiveTable(samples)
        withPort(({ rows, settle }) => {
          for (const operation of operations) {
            const answer = perform(rows.samples, operation, settle)
            expect(answer, JSON.stringify(operation)).toStrictEqual(perform(model, operation, () => undefined))
          }
          const all = { prefix: [], limit: Infinity }
          for (const order of ['key', 'name', 'weight', 'parent', 'count'])
            expect(rows.samples.range(order, all)).toStrictEqual(model.range(order, all))
        })()
      },
    )

    test(
      'refuse a second row with the same key or unique value, and change nothing',
      withPort(({ rows: { samples } }) => {
        expect(samples.insert(sampleRow({ name: 'a' }))).toBe(true)
        expect(samples.insert(sampleRow({ name: 'b' }))).toBe(false)
        expect(samples.insert(sampleRow({ n: 1, weight: 1, name: 'a' }))).toBe(false)
        expect(samples.range('key', { prefix: [], limit: 9 })).toStrictEqual([sampleRow({ name: 'a' })])
      }),
    )

    test(
      'let unique values be swapped between rows within one unit of work',
      withPort(({ rows: { samples }, settle }) => {
        samples.insert(sampleRow({ n: 1, name: 'a' }))
        samples.insert(sampleRow({ n: 2, name: 'b' }))
        settle()
        expect(samples.update(['s', 1], (row) => void (row.name = 'b'))).toBe(false)
        expect(samples.update(['s', 1], (row) => void (row.name = 'c'))).toBe(true)
        expect(samples.update(['s', 2], (row) => void (row.name = 'a'))).toBe(true)
        expect(samples.update(['s', 1], (row) => void (row.name = 'b'))).toBe(true)
        settle()
        expect(samples.find('name', 'a')?.n).toBe(2)
        expect(samples.find('name', 'b')?.n).toBe(1)
        expect(samples.find('name', 'c')).toBeUndefined()
      }),
    )

    test(
      'leave rows that were given out as they were when a later update changes them',
      withPort(({ rows: { samples } }) => {
        samples.insert(sampleRow())
        const before = samples.get('s', 0)
        samples.update(['s', 0], (row) => void (row.weight = 7))
        expect(before?.weight).toBe(0)
        expect(samples.get('s', 0)?.weight).toBe(7)
      }),
    )

    test(
      'keep the last and the next of a long order in sight after thousands of appends and removals',
      withPort(({ rows: { samples }, settle }) => {
        for (let n = 0; n < 3000; n++) samples.insert(sampleRow({ n, weight: -n }))
        settle()
        for (let n = 0; n < 3000; n += 2) samples.remove('s', n)
        expect(samples.last('key', 's')?.n).toBe(2999)
        expect(samples.range('key', { prefix: ['s'], after: [1000], limit: 3 }).map(({ n }) => n)).toEqual([
          1001, 1003, 1005,
        ])
        const back = samples.range('weight', { prefix: [false], before: [-2000], limit: 2, backwards: true })
        expect(back.map(({ n }) => n)).toEqual([2001, 2003])
        expect(samples.range('key', { prefix: ['s'], limit: Infinity })).toHaveLength(1500)
      }),
    )

    test(
      'find no row in a stream that nobody wrote to',
      withPort(({ rows: { samples } }) => {
        expect(samples.get('nowhere', 0)).toBeUndefined()
        expect(samples.last('key', 'nowhere')).toBeUndefined()
        expect(samples.range('parent', { prefix: ['nowhere'], limit: 9 })).toEqual([])
        expect(samples.update(['nowhere', 0], () => undefined)).toBe(false)
        samples.remove('nowhere', 0)
      }),
    )
  })
}
