import { expect, test } from 'vitest'
import type { AnyRecorded } from '@refold/events'
import { defineTable, foldOf, integer, plainRows, tablesOf, text, type Projection } from '@refold/projections'

interface NoteTables {
  notes: { id: string; seen: number }
}

const notes = defineTable<NoteTables['notes']>({ name: 'notes', columns: { id: text, seen: integer }, key: ['id'] })

const taking = (name: string, step: number): Projection<NoteTables> => ({
  name,
  version: 1,
  tables: step === 1 ? { notes } : {},
  rules: {
    Noted: ({ data }, rows) => {
      rows.notes.upsert({ id: data.note, seen: 0 }, (row) => void (row.seen = row.seen * 10 + step))
    },
  },
})

const envelope = {
  id: '0'.repeat(32),
  stream: 's',
  revision: 0,
  position: 1,
  recordedAt: 0,
  actor: { kind: 'person', id: 'p' },
  version: 1,
  hash: '0'.repeat(64),
} as const
const noted: AnyRecorded = { ...envelope, type: 'Noted', data: { note: 'n', kind: 'k', shownTo: 'none' } }

test('the rules for one event run in the order of their projections', () => {
  const rows = plainRows<NoteTables>({ notes })
  foldOf([taking('one', 1), taking('two', 2), taking('three', 3)])(noted, rows)
  expect(rows.notes.get('n')).toEqual({ id: 'n', seen: 123 })
})

test('events without a rule, unknown and erased ones pass and change nothing', () => {
  const rows = plainRows<NoteTables>({ notes })
  const fold = foldOf([taking('one', 1)])
  fold({ ...envelope, type: 'Purged', data: { purgeId: 'p', receipt: null } }, rows)
  fold({ ...envelope, type: 'Noted', data: { note: 'later' }, unknown: true }, rows)
  fold({ ...envelope, type: 'Noted', data: null, erased: true }, rows)
  fold({ ...envelope, type: 'constructor', data: null, unknown: true }, rows)
  expect(rows.notes.range('key', { prefix: [], limit: Infinity })).toEqual([])
})

test('a projection may say what an erased event still does', () => {
  const rows = plainRows<NoteTables>({ notes })
  const keeping: Projection<NoteTables> = {
    ...taking('keeping', 1),
    erased: ({ type, revision }, rows) => void rows.notes.insert({ id: type, seen: revision }),
  }
  foldOf([keeping])({ ...envelope, revision: 7, type: 'Noted', data: null, erased: true }, rows)
  expect(rows.notes.get('Noted')).toEqual({ id: 'Noted', seen: 7 })
})

test('a table that two projections define is refused', () => {
  expect(tablesOf([taking('one', 1), taking('two', 2)])).toEqual({ notes })
  expect(() => tablesOf([taking('one', 1), taking('again', 1)])).toThrow('Two projections define the table notes.')
})
