import { expect, test } from 'vitest'
import { transcriptPage } from '@refold/projections'
import { shown, shownMessages, transcriptJson } from '../support/read-log.ts'
import {
  answers,
  asks,
  branched,
  calls,
  compacted,
  delegated,
  returns,
  rewound,
  SessionLog,
  START,
  started,
  streamOf,
  undone,
} from '../support/session-log.ts'

const talk = (): SessionLog => {
  const log = new SessionLog()
  log.add('s', started('s'))
  for (const event of [asks('m1'), answers('m2'), asks('m3'), answers('m4')]) log.add('s', event)
  return log
}

test('35: a message stands once, where it first appeared, however often it is appended', () => {
  const log = talk()
  log.add('s', asks('m1', 'again'))
  log.add('s', answers('m4'))
  expect(shown(log, 's')).toEqual(['m1', 'm2', 'm3', 'm4'])
})

test('36: what is for the model only, and summaries, are no messages of the transcript', () => {
  const log = talk()
  log.add('s', asks('m5', 'hidden', { shownTo: 'model' }))
  log.add('s', compacted('k1', 4, ['m4']))
  expect(shown(log, 's')).toEqual(['m1', 'm2', 'm3', 'm4', 'compaction:k1'])
})

test('38: a pruned tool output is shown whole', () => {
  const log = talk()
  log.add('s', calls('m5', 'c1'))
  log.add('s', returns('m6', 'c1', 'the whole output'))
  log.add('s', {
    type: 'WireFormSet',
    data: { message: 'm6', parts: [{ type: 'tool-result', toolCallId: 'c1', text: 'pruned' }], why: 'prune' },
  })
  expect(transcriptJson(log, 's').at(-1)).toMatchObject({ id: 'm6', toolCallId: 'c1', text: 'the whole output' })
})

test('37: a carrier shows the message that it carries, once and as it was', () => {
  const log = talk()
  const carrier = [{ message: 'm3', parts: [{ type: 'text', text: 'In short: … And: m3' }] }]
  log.add('s', compacted('k1', 4, ['m3', 'm4'], { carrier: 'm3', wireForms: carrier }))
  expect(transcriptJson(log, 's').map(({ text }) => text)).toEqual(['m1', 'm2', 'm3', 'm4', undefined])
})

test('an edit gives a message another text in its old place, and the past keeps the old one', () => {
  const log = talk()
  const before = log.head('s')
  log.add('s', { type: 'MessageEdited', data: { message: 'm1', parts: [{ type: 'text', text: 'better' }] } })
  expect(transcriptJson(log, 's')[0]).toMatchObject({ id: 'm1', text: 'better', editedAt: '2026-06-19T13:00:06.000Z' })
  const page = transcriptPage(log.rows, streamOf('s'), { at: before })
  expect(page.ok && page.entries[0]?.content.revision).toBe(1)
})

test('a growing answer is one message: its newest text, partial until complete, and never back', () => {
  const log = talk()
  log.add('s', answers('m5', 'Hel', { partial: 1 }))
  log.add('s', answers('m5', 'Hello', { partial: 2 }))
  log.add('s', answers('m5', 'Hel', { partial: 1 }))
  expect(transcriptJson(log, 's').at(-1)).toMatchObject({ id: 'm5', text: 'Hello', state: 'partial' })
  log.add('s', answers('m5', 'Hello!'))
  log.add('s', answers('m5', 'late', { partial: 9 }))
  log.add('s', answers('m5', 'later'))
  const last = transcriptJson(log, 's').at(-1)
  expect(last).toMatchObject({ id: 'm5', text: 'Hello!' })
  expect(last).not.toHaveProperty('state')
})

test('a message of a turn that failed unanswered is marked and stays; one that was answered is not marked', () => {
  const log = talk()
  log.add('s', { type: 'TurnStarted', data: { turn: 't1', holder: 'cli', leaseMs: 1000 } })
  log.add('s', asks('m5', 'm5', { turn: 't1' }))
  log.add('s', { type: 'TurnEnded', data: { turn: 't1', outcome: 'failed' } })
  log.add('s', asks('m6', 'm6', { turn: 't2' }))
  log.add('s', answers('m7', 'm7', { turn: 't2' }))
  log.add('s', { type: 'TurnEnded', data: { turn: 't2', outcome: 'failed' } })
  expect(transcriptJson(log, 's').map(({ id, state }) => [id, state])).toEqual([
    ['m1', undefined],
    ['m2', undefined],
    ['m3', undefined],
    ['m4', undefined],
    ['m5', 'failed'],
    ['m6', undefined],
    ['m7', undefined],
  ])
})

test('marks stand between the messages where they happened', () => {
  const log = talk()
  log.add('s', { type: 'SettingChanged', data: { key: 'model', value: 'opus' } })
  log.add('s', { type: 'SettingChanged', data: { key: 'model', value: 'gpt' } })
  log.add('s', { type: 'SettingChanged', data: { key: 'model', value: 'gpt' } })
  log.add('s', { type: 'Rotated', data: { from: 's', to: 's-2', reason: 'compaction' } })
  log.add('s', { type: 'DelegateSpawned', data: { session: 'd', task: 'look around' } })
  log.add('d', delegated('d', 's'))
  log.add('s', { type: 'DelegateReported', data: { session: 'd', run: '1', outcome: 'done' } })
  log.add('s', { type: 'Noted', data: { note: 'n1', kind: 'goal', shownTo: 'person', text: 'ship it' } })
  log.add('s', { type: 'Noted', data: { note: 'n2', kind: 'raw', shownTo: 'none' } })
  log.add('s', { type: 'Ended', data: { reason: 'closed', class: 'accident' } })
  log.add('s', { type: 'Ended', data: { reason: 'again', class: 'accident' } })
  log.add('s', { type: 'Reopened', data: { why: 'append' } })
  log.add('s', { type: 'Reopened', data: { why: 'append' } })
  expect(transcriptJson(log, 's').slice(4)).toMatchObject([
    { kind: 'model', model: 'gpt' },
    { kind: 'rotation', segment: 's-2', from: 's', reason: 'compaction' },
    { kind: 'delegate', session: 'd', task: 'look around', status: 'done' },
    { kind: 'note', id: 'n1', note: 'goal', text: 'ship it' },
    { kind: 'end', reason: 'closed', class: 'accident' },
    { kind: 'reopen', why: 'append' },
  ])
})

test('41: what was rewound is in no transcript; a mark says how much was set aside, until it is back', () => {
  const log = talk()
  log.add('s', rewound('u1', 'm2'))
  expect(shown(log, 's')).toEqual(['m1', 'm2', 'alternative:u1'])
  expect(transcriptJson(log, 's').at(-1)).toMatchObject({ undoId: 'u1', messages: 2, reason: 'rewind' })
  log.add('s', undone('u1', 'u2'))
  expect(shown(log, 's')).toEqual(['m1', 'm2', 'm3', 'm4'])
})

test('80: switching back and forth between alternatives loses nothing', () => {
  const log = talk()
  log.add('s', rewound('u1', 'm2'))
  log.add('s', asks('m5'))
  log.add('s', undone('u1', 'u2'))
  expect(shown(log, 's')).toEqual(['m1', 'm2', 'm3', 'm4', 'alternative:u2'])
  log.add('s', asks('m6'))
  log.add('s', undone('u2', 'u3'))
  expect(shownMessages(log, 's')).toEqual(['m1', 'm2', 'm5'])
  log.add('s', asks('m7'))
  log.add('s', undone('u3', 'u4'))
  expect(shownMessages(log, 's')).toEqual(['m1', 'm2', 'm3', 'm4', 'm6'])
  log.add('s', undone('u4', 'u5'))
  expect(shownMessages(log, 's')).toEqual(['m1', 'm2', 'm5', 'm7'])
})

test('rewinds undone out of order leave what the intervals say', () => {
  const log = talk()
  log.add('s', rewound('u1', 'm3'))
  log.add('s', asks('m5'))
  log.add('s', rewound('u2', 'm1'))
  log.add('s', undone('u1', 'u3'))
  expect(shownMessages(log, 's')).toEqual(['m1'])
  log.add('s', undone('u2', 'u4'))
  expect(shownMessages(log, 's')).toEqual(['m1', 'm2', 'm3', 'm4'])
})

test('a rewind to a message that nobody knows, a repeated one and an undo of nothing change nothing', () => {
  const log = talk()
  log.add('s', rewound('u1', 'nowhere'))
  log.add('s', undone('u9', 'u8'))
  expect(shown(log, 's')).toEqual(['m1', 'm2', 'm3', 'm4'])
  log.add('s', rewound('u2', 'm3'))
  log.add('s', rewound('u2', null))
  log.add('s', undone('u2', 'u3'))
  log.add('s', undone('u2', 'u4'))
  expect(shown(log, 's')).toEqual(['m1', 'm2', 'm3', 'm4'])
})

test('an import can take out single messages, and nothing that stands after them', () => {
  const log = talk()
  log.add('s', { type: 'Rewound', data: { undoId: 'u1', lastThatStays: null, only: ['m2', 'm3'], reason: 'import' } })
  expect(shown(log, 's')).toEqual(['m1', 'm4'])
  log.add('s', asks('m5'))
  log.add('s', undone('u1', 'u2'))
  expect(shownMessages(log, 's')).toEqual(['m1', 'm2', 'm3', 'm4', 'm5'])
})

test('an import can take out single notes as well, and bring them back', () => {
  const log = talk()
  log.add('s', { type: 'Noted', data: { note: 'n1', kind: 'model_switch', shownTo: 'both', text: 'Another model' } })
  log.add('s', { type: 'Rewound', data: { undoId: 'u1', lastThatStays: null, only: ['m4', 'n1'], reason: 'import' } })
  expect(shown(log, 's')).toEqual(['m1', 'm2', 'm3'])
  log.add('s', undone('u1', 'u2'))
  expect(shown(log, 's')).toEqual(['m1', 'm2', 'm3', 'm4', 'note:n1'])
})

test('20: a branch reads its origin up to the cut as it was then, and neither changes the other', () => {
  const log = talk()
  log.add('s', { type: 'MessageEdited', data: { message: 'm1', parts: [{ type: 'text', text: 'better' }] } })
  log.add('b', branched('b', 's', log.head('s'), 'm2'))
  log.add('b', asks('b1'))
  log.add('s', asks('m5'))
  log.add('s', { type: 'MessageEdited', data: { message: 'm1', parts: [{ type: 'text', text: 'best' }] } })
  log.add('s', rewound('u1', 'm1'))
  expect(transcriptJson(log, 'b')).toMatchObject([
    { id: 'm1', text: 'better', inherited: true },
    { id: 'm2', inherited: true },
    { kind: 'branch', session: 's', message: 'm2' },
    { id: 'b1' },
  ])
  log.add('b', { type: 'MessageEdited', data: { message: 'm2', parts: [{ type: 'text', text: 'mine' }] } })
  log.add('b', rewound('u1', 'm1'))
  expect(shownMessages(log, 'b')).toEqual(['m1'])
  log.add('b', undone('u1', 'u2'))
  expect(transcriptJson(log, 'b')[1]).toMatchObject({ id: 'm2', text: 'mine' })
  log.add('s', undone('u1', 'u2'))
  expect(transcriptJson(log, 's').map(({ text }) => text)).toEqual(['best', 'm2', 'm3', 'm4', 'm5'])
})

test('a branch of a branch reads through both, and leaves out what was rewound before each cut', () => {
  const log = talk()
  log.add('s', rewound('u1', 'm3'))
  log.add('s', asks('m5'))
  log.add('b', branched('b', 's', log.head('s'), 'm5'))
  log.add('b', asks('b1'))
  log.add('b', asks('b2'))
  log.add('c', branched('c', 'b', log.head('b'), 'b1'))
  log.add('c', asks('m5'))
  log.add('c', asks('c1'))
  expect(shownMessages(log, 'c')).toEqual(['m1', 'm2', 'm3', 'm5', 'b1', 'c1'])
  log.add('d', branched('d', 'c', log.head('c'), 'm2'))
  expect(shownMessages(log, 'd')).toEqual(['m1', 'm2'])
})

test('a branch as of an older head begins with what stood then', () => {
  const log = talk()
  log.add('b', branched('b', 's', 2, 'm4'))
  log.add('c', branched('c', 's', 2, 'm2'))
  expect(shown(log, 'b')).toEqual(['branch:s'])
  expect(shown(log, 'c')).toEqual(['m1', 'm2', 'branch:s'])
})

test('a time that nobody can believe gives way to that of the recording', () => {
  const log = new SessionLog()
  log.add('s', asks('m1', 'm1', { at: 1e300 }), { recordedAt: START })
  log.add('s', asks('m2', 'm2', { at: -5 }), { recordedAt: START })
  log.add('s', asks('m3', 'm3', { at: START - 60_000 }), { recordedAt: START })
  expect(transcriptJson(log, 's').map(({ at }) => at)).toEqual([
    '2026-06-19T13:00:00.000Z',
    '2026-06-19T13:00:00.000Z',
    '2026-06-19T12:59:00.000Z',
  ])
})

test('a cursor that this transcript never gave is told as such', () => {
  const log = talk()
  expect(transcriptPage(log.rows, streamOf('s'), { cursor: 'x' })).toEqual({
    ok: false,
    code: 'bad-cursor',
    cursor: 'x',
  })
})
