import { expect, test } from 'vitest'
import { settingsOf } from '@refold/projections'
import { tipOf, transcriptJson } from '../support/read-log.ts'
import {
  answers,
  asks,
  branched,
  deleted,
  renamed,
  restored,
  SessionLog,
  started,
  streamOf,
} from '../support/session-log.ts'

const redacted = (...revisions: readonly number[]) => ({
  type: 'Redacted' as const,
  data: { targets: revisions.map((revision) => ({ eventId: '0', revision, parts: [], digest: '' })), reason: 'key' },
})

test('a redacted message leaves the preview of its session and of every branch that shows it', () => {
  const log = new SessionLog()
  log.add('s', asks('m1', 'secret'))
  log.add('s', asks('m2', 'harmless'))
  log.add('b', branched('b', 's', 1, 'm2'))
  log.add('c', branched('c', 'b', 0, 'm1'))
  log.add('s', redacted(0))
  expect([tipOf(log, 's').preview, tipOf(log, 'b').preview, tipOf(log, 'c').preview]).toEqual([
    'harmless',
    'harmless',
    null,
  ])
  expect(tipOf(log, 's').messages).toBe(2)
})

test('a redacted edit takes its own words out of the preview', () => {
  const log = new SessionLog()
  log.add('s', asks('m1', 'first'))
  log.add('s', { type: 'MessageEdited', data: { message: 'm1', parts: [{ type: 'text', text: 'secret' }] } })
  log.add('s', redacted(1))
  expect(tipOf(log, 's').preview).toBe('first')
})

test('redacted titles, tags, workspaces and settings leave the list and give their name back', () => {
  const log = new SessionLog()
  log.add('s', started('s', { workspace: '/secret' }))
  log.add('s', renamed('secret'))
  log.add('s', { type: 'SettingChanged', data: { key: 'tag', tag: 'secret', present: true } })
  log.add('s', { type: 'SettingChanged', data: { key: 'tag', tag: 'fine', present: true } })
  log.add('s', { type: 'SettingChanged', data: { key: 'host', name: 'note', value: 'secret' } })
  log.add('s', redacted(0, 1, 2, 4))
  expect(tipOf(log, 's')).toMatchObject({ title: null, workspace: null, tags: ['fine'] })
  expect(settingsOf(log.rows, streamOf('s')).map(({ name, value }) => [name, value])).toEqual([
    ['tag:fine', true],
    ['workspace', null],
  ])
  log.add('t', renamed('secret'))
  expect(tipOf(log, 't').title).toBe('secret')
})

test('a purge takes all words out of the rows and keeps ids, edges, times and numbers; nothing brings it back', () => {
  const log = new SessionLog()
  log.add('s', started('s', { workspace: '/secret' }))
  log.add('s', asks('m1', 'secret'))
  log.add('s', answers('m2'))
  log.add('s', renamed('secret'))
  log.add('s', { type: 'SettingChanged', data: { key: 'tag', tag: 'secret', present: true } })
  log.add('s', { type: 'SettingChanged', data: { key: 'goal', value: 'secret' } })
  log.add('s', { type: 'Ended', data: { reason: 'secret', class: 'deliberate' } })
  log.add('b', branched('b', 's', 2, 'm2'))
  log.add('s', deleted('x', 's'))
  log.add('s', { type: 'PurgeStarted', data: { purgeId: 'p', eventIds: [], kept: [] } })
  const rows = [
    log.rows.tips.get(streamOf('s')),
    log.rows.settings.range('key', { prefix: [streamOf('s')], limit: 99 }),
  ]
  expect(JSON.stringify([rows, log.rows.titles.range('key', { prefix: [], limit: 9 })])).not.toContain('secret')
  expect(log.rows.previews.range('key', { prefix: [], limit: 9 })).toEqual([])
  expect(tipOf(log, 's')).toMatchObject({ messages: 2, deleted: true, purged: true, endClass: 'deliberate' })
  log.add('s', restored('x', 'back'))
  expect(tipOf(log, 's')).toMatchObject({ deleted: true, title: null })
  expect(tipOf(log, 'b').messages).toBe(2)
})

test('an erased event keeps its place and loses its words', () => {
  const log = new SessionLog()
  log.add('s', asks('m1', 'secret'))
  log.add('s', asks('m2', 'kept'))
  const [first] = log.events
  if (!first) throw new Error('no event')
  const { type: _type, data: _data, ...envelope } = first
  const original = log.eventAt.bind(log)
  log.eventAt = (ref) =>
    ref.revision === 0 ? { ...envelope, type: 'MessageAppended', data: null, erased: true } : original(ref)
  expect(transcriptJson(log, 's')).toMatchObject([
    { id: 'm1', role: 'user', text: '' },
    { id: 'm2', text: 'kept' },
  ])
})
