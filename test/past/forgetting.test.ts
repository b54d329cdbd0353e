import { expect, test } from 'vitest'
import { titleAt, whyMessage } from '@refold/projections'
import type { SessionEvent } from '@refold/events'
import { asks, branched, renamed, SessionLog, started, streamOf } from '../support/session-log.ts'

const redacted = (...revisions: readonly number[]): SessionEvent => ({
  type: 'Redacted',
  data: { targets: revisions.map((revision) => ({ eventId: '0', revision, parts: [], digest: '' })), reason: 'r' },
})
const purged: SessionEvent = { type: 'PurgeStarted', data: { purgeId: 'p', eventIds: [], kept: [] } }

const titles = (log: SessionLog): readonly (string | null)[] =>
  Array.from({ length: log.head('s') + 1 }, (_, at) => titleAt(log.rows, streamOf('s'), at).title)

test('a title that was taken out is gone at every revision, also one that another followed', () => {
  const log = new SessionLog()
  log.add('s', started('s'))
  log.add('s', renamed('secret'))
  log.add('s', asks('m1'))
  log.add('s', renamed('fine'))
  expect(titles(log)).toEqual([null, 'secret', 'secret', 'fine'])
  log.add('s', redacted(1))
  expect(titles(log)).toEqual([null, null, null, 'fine', 'fine'])
  log.add('s', redacted(3))
  expect(titles(log)).toEqual([null, null, null, null, null, null])
})

test('a title that got a number from others is gone with the event that gave it', () => {
  const log = new SessionLog()
  log.add('t', started('t'))
  log.add('t', renamed('secret'))
  log.add('s', started('s'))
  log.add('s', renamed('secret'))
  expect(titles(log)).toEqual([null, 'secret #2'])
  log.add('s', redacted(1))
  expect(titles(log)).toEqual([null, null, null])
  expect(titleAt(log.rows, streamOf('t')).title).toBe('secret')
})

test('a purge takes all titles out of the past', () => {
  const log = new SessionLog()
  log.add('s', started('s'))
  log.add('s', renamed('one'))
  log.add('s', renamed('two'))
  log.add('s', purged)
  expect(titles(log)).toEqual([null, null, null, null])
})

test('what was erased of a message is told of it, in branches too, and of no other', () => {
  const log = new SessionLog()
  log.add('s', asks('m1'))
  log.add('s', asks('m2'))
  log.add('s', { type: 'MessageEdited', data: { message: 'm1', parts: [] } })
  log.add('b', branched('b', 's', 2, 'm2'))
  log.add('s', redacted(2))
  const why = (session: string, message: string) =>
    whyMessage(log.rows, streamOf(session), message)?.map(
      ({ stream, revision, how }) => `${stream.slice(-1)}${revision} ${how}`,
    )
  expect(why('s', 'm1')).toEqual(['s0 appended', 's2 edited', 's3 redacted'])
  expect(why('b', 'm1')).toEqual(['s0 appended', 's2 edited', 's3 redacted', 'b0 inherited'])
  expect(why('s', 'm2')).toEqual(['s1 appended'])
  log.add('s', purged)
  expect(why('b', 'm2')).toEqual(['s1 appended', 's4 purged', 'b0 inherited'])
})
