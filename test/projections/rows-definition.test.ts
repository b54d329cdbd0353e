import { expect, test } from 'vitest'
import { defineTable, integer, json, nullable, plainRows, stream, text } from '@refold/projections'
import { sampleRow } from './rows-contract.ts'
import { sampleTables, type SampleTables } from './sample-table.ts'

interface Row {
  stream: string
  n: number
  name: string | null
  extra: unknown
}
const columns = { stream, n: integer, name: nullable(text), extra: json }

test('a key that may be null is refused when it is defined', () => {
  expect(() => defineTable<Row>({ name: 't', columns, key: ['stream', 'name'] })).toThrow(
    't.name can be no part of a key, unique set or order.',
  )
})

test('JSON in an order or unique set is refused when it is defined', () => {
  const problem = 't.extra can be no part of a key, unique set or order.'
  expect(() => defineTable<Row>({ name: 't', columns, key: ['n'], ordered: { extra: ['extra'] } })).toThrow(problem)
  expect(() => defineTable<Row>({ name: 't', columns, key: ['n'], unique: { extra: ['extra'] } })).toThrow(problem)
})

test('a table without a key is refused', () => {
  expect(() => defineTable<Row>({ name: 't', columns, key: [] })).toThrow('t has no key.')
})

test('an order or unique set that nobody defined is an error of the program', () => {
  const { samples } = plainRows<SampleTables>(sampleTables)
  samples.insert(sampleRow())
  expect(() => samples.last('nothing')).toThrow('samples has no order nothing.')
  expect(() => samples.find('nothing', 1)).toThrow('samples has no unique set nothing.')
})
