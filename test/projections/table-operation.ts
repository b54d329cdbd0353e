import * as fc from 'fast-check'
import type { Json } from '@refold/events'
import type { Range, Scalar, Table } from '@refold/projections'
import type { SampleRow } from './sample-table.ts'

/** Texts at which the orders of UTF-16, UTF-8 and SQLite differ, or which a store may bend. */
export const awkwardTexts: readonly string[] = [
  '',
  '\u0000',
  'a\u0000b',
  '12',
  '1.0',
  'null',
  'é',
  'e\u0301',
  '\ud7fe',
  '\ud7ff',
  '\ud7ff\u0001',
  '\ud800',
  '\ud800a',
  '\udbff',
  '\udc00',
  '\udc00\ud800',
  '\ue000',
  '\ufffd',
  '\uffff',
  '\u{10000}',
  '\u{10ffff}',
]

const text = fc.oneof(fc.constantFrom('a', 'b', 'ab', ...awkwardTexts), fc.string({ unit: 'binary', maxLength: 3 }))
const streamName = fc.constantFrom('s1', 's2', 's10', 'session-é', ...awkwardTexts)
const n = fc.integer({ min: -1, max: 4 })
const weight = fc.oneof(fc.constantFrom(0, 1, 1.5, -2, 1e300, 2 ** 53, 2 ** 70, 5e-324), fc.integer())
const count = fc.option(fc.constantFrom(0, 1, -1, 2 ** 31, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER))
const jsonValue: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>(null, true, false, 0, 1, '1', '\ud800', 'x', 0.5),
  fc.array(fc.constantFrom<Json[]>(null, 1, 'y')),
  fc
    .dictionary(fc.constantFrom('k', '__proto__', '\udc00'), fc.constantFrom<Json[]>(null, true, 'z'))
    .map((o) => ({ ...o })),
)

const columns = {
  stream: streamName,
  n,
  name: fc.option(text),
  weight,
  flag: fc.boolean(),
  count,
  parent: fc.option(streamName),
  extra: jsonValue,
}

const row: fc.Arbitrary<SampleRow> = fc.record(columns)
/** What a recipe assigns; now and then part of the key, which must be refused. */
const changes = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      { ...columns, stream: fc.constant(undefined), n: fc.constant(undefined) },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.record(columns, { requiredKeys: [] }) },
)

export type Operation =
  | { readonly op: 'insert' | 'put'; readonly row: SampleRow }
  | { readonly op: 'update'; readonly key: readonly Scalar[]; readonly changes: Partial<SampleRow> }
  | { readonly op: 'upsert'; readonly row: SampleRow; readonly changes: Partial<SampleRow> }
  | { readonly op: 'remove' | 'get'; readonly key: readonly Scalar[] }
  | { readonly op: 'find'; readonly unique: string; readonly values: readonly Scalar[] }
  | { readonly op: 'last'; readonly order: string; readonly prefix: readonly Scalar[] }
  | { readonly op: 'range'; readonly order: string; readonly range: Range }
  /** The port may write back what it holds and forget what it read. */
  | { readonly op: 'settle' }

const key = fc.tuple(streamName, n)
const limit = fc.constantFrom(1, 2, 5, 100, Infinity)

/** Values for the columns of each order, from which prefixes and bounds are cut. */
const orderValues: { readonly [order: string]: fc.Arbitrary<Scalar[]> } = {
  key,
  name: fc.tuple(fc.option(text), streamName, n),
  weight: fc.tuple(fc.boolean(), weight, streamName, n),
  parent: fc.tuple(fc.option(streamName), streamName, n),
  count: fc.tuple(streamName, count, fc.boolean(), streamName, n),
}

const range = fc.constantFrom(...Object.keys(orderValues)).chain((order) => {
  const values = orderValues[order] ?? key
  return fc
    .record({
      first: values,
      second: values,
      prefix: fc.nat(3),
      bound: fc.integer({ min: 1, max: 3 }),
      limit,
      backwards: fc.boolean(),
      with: fc.nat(3),
    })
    .map((cut): Operation => {
      const prefix = cut.first.slice(0, Math.min(cut.prefix, cut.first.length - 1))
      const end = prefix.length + cut.bound
      const after = cut.with & 1 ? { after: cut.first.slice(prefix.length, end) } : {}
      const before = cut.with & 2 ? { before: cut.second.slice(prefix.length, end) } : {}
      return { op: 'range', order, range: { prefix, limit: cut.limit, backwards: cut.backwards, ...after, ...before } }
    })
})

const last = fc
  .constantFrom(...Object.keys(orderValues))
  .chain((order) =>
    fc
      .tuple(orderValues[order] ?? key, fc.nat(3))
      .map(([values, length]): Operation => ({ op: 'last', order, prefix: values.slice(0, length) })),
  )

const find = fc.oneof(
  text.map((name): Operation => ({ op: 'find', unique: 'name', values: [name] })),
  fc.tuple(streamName, weight, count).map((values): Operation => ({ op: 'find', unique: 'weight', values })),
)

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: row.map((row): Operation => ({ op: 'insert', row })) },
  { weight: 2, arbitrary: row.map((row): Operation => ({ op: 'put', row })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(key, changes)
      .map(([key, changes]): Operation => ({ op: 'update', key, changes: defined(changes) })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(row, changes)
      .map(([row, changes]): Operation => ({ op: 'upsert', row, changes: defined(changes) })),
  },
  { weight: 2, arbitrary: key.map((key): Operation => ({ op: 'remove', key })) },
  { weight: 2, arbitrary: key.map((key): Operation => ({ op: 'get', key })) },
  { weight: 3, arbitrary: find },
  { weight: 3, arbitrary: last },
  { weight: 4, arbitrary: range },
  { weight: 1, arbitrary: fc.constant<Operation>({ op: 'settle' }) },
)

function defined(changes: { readonly [C in keyof SampleRow]?: SampleRow[C] | undefined }): Partial<SampleRow> {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined)
  return Object.assign({}, ...entries.map(([name, value]) => ({ [name]: value })))
}

/** Does one operation and gives what the table answers. */
export function perform(table: Table<SampleRow>, operation: Operation, settle: () => void): unknown {
  switch (operation.op) {
    case 'insert':
      return table.insert({ ...operation.row })
    case 'put':
      return table.put({ ...operation.row })
    case 'update':
      return table.update(operation.key, (draft) => void Object.assign(draft, operation.changes))
    case 'upsert':
      return table.upsert({ ...operation.row }, (draft) => void Object.assign(draft, operation.changes))
    case 'remove':
      return table.remove(...operation.key)
    case 'get':
      return table.get(...operation.key)
    case 'find':
      return table.find(operation.unique, ...operation.values)
    case 'last':
      return table.last(operation.order, ...operation.prefix)
    case 'range':
      return table.range(operation.order, operation.range)
    case 'settle':
      return settle()
    default: {
      const never: never = operation
      return never
    }
  }
}
