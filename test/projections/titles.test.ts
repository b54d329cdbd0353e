import { expect, test } from 'vitest'
import { tipOf } from '../support/read-log.ts'
import { deleted, renamed, restored, SessionLog } from '../support/session-log.ts'

const titlesOf = (log: SessionLog, ...sessions: readonly string[]) =>
  sessions.map((session) => tipOf(log, session).title)

test('54: the first to want a title has it, others get the smallest free number from 2 on', () => {
  const log = new SessionLog()
  for (const session of ['s1', 's2', 's3', 's4']) log.add(session, renamed('plan'))
  expect(titlesOf(log, 's1', 's2', 's3', 's4')).toEqual(['plan', 'plan #2', 'plan #3', 'plan #4'])
  log.add('s2', renamed('other'))
  log.add('s5', renamed('plan'))
  log.add('s6', renamed('plan'))
  expect(titlesOf(log, 's5', 's6')).toEqual(['plan #2', 'plan #5'])
})

test('a numbered title that somebody chose is passed over', () => {
  const log = new SessionLog()
  log.add('s1', renamed('plan #2'))
  log.add('s2', renamed('plan'))
  log.add('s3', renamed('plan'))
  expect(titlesOf(log, 's1', 's2', 's3')).toEqual(['plan #2', 'plan', 'plan #3'])
  log.add('s1', renamed(null))
  log.add('s4', renamed('plan'))
  expect(titlesOf(log, 's1', 's4')).toEqual([null, 'plan #2'])
})

test('titles that look the same are the same', () => {
  const log = new SessionLog()
  log.add('s1', renamed('caf\u00e9'))
  log.add('s2', renamed('cafe\u0301'))
  expect(titlesOf(log, 's1', 's2')).toEqual(['caf\u00e9', 'cafe\u0301 #2'])
})

test('57: a long title is cut so that its number fits into 100 characters', () => {
  const log = new SessionLog()
  const long = '😀'.repeat(99)
  for (const session of ['s1', 's2', 's3']) log.add(session, renamed(long))
  expect(titlesOf(log, 's1', 's2', 's3')).toEqual([long, `${'😀'.repeat(97)} #2`, `${'😀'.repeat(97)} #3`])
})

test('long names that are cut to the same beginning share their numbers, and the smallest free one is given', () => {
  const log = new SessionLog()
  const [one, other] = [`${'x'.repeat(98)}one`, `${'x'.repeat(98)}other`]
  for (const [session, title] of [
    ['s1', one],
    ['s2', one],
    ['s3', other],
    ['s4', other],
  ] as const)
    log.add(session, renamed(title))
  expect(titlesOf(log, 's2', 's4')).toEqual([`${'x'.repeat(97)} #2`, `${'x'.repeat(97)} #3`])
  log.add('s2', renamed(null))
  log.add('s5', renamed(other))
  expect(titlesOf(log, 's5')).toEqual([`${'x'.repeat(97)} #2`])
})

test("56: a machine's title never replaces a person's, and may follow once that is taken away", () => {
  const log = new SessionLog()
  log.add('s', renamed('derived', 'derived'))
  log.add('s', renamed('by model', 'model'))
  log.add('s', renamed('mine'))
  log.add('s', renamed('by model', 'model'))
  expect(tipOf(log, 's')).toMatchObject({ title: 'mine', titleBy: 'person' })
  log.add('t', renamed('by model', 'model'))
  expect(titlesOf(log, 't')).toEqual(['by model'])
  log.add('s', renamed(null))
  log.add('s', renamed('by model', 'model'))
  expect(tipOf(log, 's')).toMatchObject({ title: 'by model #2', titleBy: 'model' })
})

test('a deleted session gives its title back; restored, it has it again, or the next free number', () => {
  const log = new SessionLog()
  log.add('s1', renamed('plan'))
  log.add('s1', deleted('x', 's1'))
  log.add('s2', renamed('plan'))
  expect(titlesOf(log, 's2')).toEqual(['plan'])
  log.add('s1', restored('x', 'plan'))
  expect(titlesOf(log, 's1', 's2')).toEqual(['plan #2', 'plan'])
})

test('a delegate that went along gives its title back with the seed, and takes it again with it', () => {
  const log = new SessionLog()
  log.add('d', renamed('work'))
  log.add('p', deleted('x', 'p', ['d']))
  log.add('s', renamed('work'))
  log.add('p', restored('x'))
  expect(titlesOf(log, 's', 'd')).toEqual(['work', 'work #2'])
})

test('namespaces do not see each other', () => {
  const log = new SessionLog()
  log.add('s1', renamed('plan'), { namespace: 'one' })
  log.add('s1', renamed('plan'), { namespace: 'two' })
  expect(log.rows.titles.get('two', 'plan')?.stream).toBe('session-two.s1')
})
