import { expect, test } from 'vitest'
import { resolveSession } from '@refold/projections'
import { deleted, renamed, SessionLog, started } from '../support/session-log.ts'

const find = (log: SessionLog, name: string) => {
  const found = resolveSession(log.rows, 'default', name)
  if (found.ok) return `${found.by}: ${found.session}`
  return found.code === 'ambiguous-session' ? found.candidates.map(({ session }) => session) : found.code
}

test('49: every id that a session ever had leads to it', () => {
  const log = new SessionLog()
  log.add('first', started('first', { importedFrom: { tool: 'hermes', session: 'foreign-7' } }))
  log.add('first', { type: 'Rotated', data: { from: 'first', to: 'second', reason: 'r' } })
  expect(['first', 'second', 'foreign-7'].map((name) => find(log, name))).toEqual([
    'id: first',
    'alias: first',
    'alias: first',
  ])
})

test('exact id goes before alias, alias before title, title before prefix', () => {
  const log = new SessionLog()
  log.add('one', { type: 'Rotated', data: { from: 'one', to: 'name', reason: 'r' } })
  log.add('two', renamed('name'))
  log.add('three', renamed('name of three'))
  expect(find(log, 'name')).toBe('alias: one')
  expect(find(log, 'name o')).toBe('prefix: three')
  log.add('name', started('name'))
  expect(find(log, 'name')).toBe('id: name')
  log.add('one', deleted('x', 'one'))
  log.add('name', deleted('y', 'name'))
  expect(find(log, 'name')).toBe('title: two')
})

test('145: what fits several is answered with the candidates, what fits none is not found, and nothing is guessed', () => {
  const log = new SessionLog()
  log.add('20260619_a', renamed('scan'))
  log.add('20260619_b', started('20260619_b'))
  log.add('s3', renamed('20260619 notes'))
  expect(find(log, '20260619')).toEqual(['20260619_a', '20260619_b', 's3'])
  expect(find(log, '20260619_')).toEqual(['20260619_a', '20260619_b'])
  expect(find(log, '20260619_b')).toBe('id: 20260619_b')
  expect(find(log, 'sca')).toBe('prefix: 20260619_a')
  expect(find(log, 'sc')).toBe('session-not-found')
  expect(find(log, '')).toBe('session-not-found')
  expect(find(log, '\ud800abc')).toBe('session-not-found')
})

test('one session that fits by several names is no ambiguity', () => {
  const log = new SessionLog()
  log.add('chat-1', renamed('chat about birds'))
  log.add('chat-1', { type: 'Rotated', data: { from: 'chat-1', to: 'chat-2', reason: 'r' } })
  expect(find(log, 'chat')).toBe('prefix: chat-1')
})

test('a deleted session is found by nobody, but by id where it is to be restored', () => {
  const log = new SessionLog()
  log.add('gone', renamed('title'))
  log.add('gone', deleted('x', 'gone'))
  expect(['gone', 'title', 'gon'].map((name) => find(log, name))).toEqual(Array(3).fill('session-not-found'))
  expect(resolveSession(log.rows, 'default', 'gone', { deleted: true })).toMatchObject({ ok: true, session: 'gone' })
})

test('83: no name leads into another namespace', () => {
  const log = new SessionLog()
  log.add('secret', renamed('plan'), { namespace: 'other' })
  expect(['secret', 'plan', 'sec'].map((name) => find(log, name))).toEqual(Array(3).fill('session-not-found'))
})

test('titles are found in whatever form their accents are written', () => {
  const log = new SessionLog()
  log.add('s', renamed('caf\u00e9 notes'))
  expect(find(log, 'cafe\u0301 notes')).toBe('title: s')
  expect(find(log, 'cafe\u0301')).toBe('prefix: s')
})
