import { expect, test } from 'vitest'
import { test as prop } from '@fast-check/vitest'
import { auditLine, describeEvent, whyMessage } from '@refold/projections'
import { rawHistory } from '../support/raw-events.ts'
import {
  answers,
  asks,
  branched,
  compacted,
  importer,
  rewound,
  SessionLog,
  START,
  started,
  streamOf,
  undone,
} from '../support/session-log.ts'

test('an event reads as a line: who, when, what and why', () => {
  const log = new SessionLog()
  const actor = { kind: 'agent', id: 'coder', session: 'd1', surface: 'cli' } as const
  const event = log.add('s', asks('m1', 'Why  does\nit fail?', { at: START - 5000, turn: 't1' }), {
    actor,
    recordedAt: START,
  })
  expect(auditLine(event)).toEqual({
    revision: 0,
    position: 1,
    at: START,
    happenedAt: START - 5000,
    actor: 'coder (agent, for session d1, cli)',
    type: 'MessageAppended',
    what: 'Message m1 of the user (by person): “Why does it fail?” [turn t1]',
  })
})

test.each([
  [started('s', { surface: 'cli' }), 'Started anew (cli)'],
  [branched('b', 's', 7, 'm3'), 'Started as a branch of session s after message m3, as of revision 7'],
  [rewound('u1', null), 'Rewound to the start (rewind; undo u1)'],
  [undone('u1', 'u2'), 'Took back rewind u1; what came since is kept as u2'],
  [
    compacted('k', 4, ['m4']),
    'Summarised 1 message up to revision 4, kept 1, from 2 to 1 bytes (compaction k): “summary k”',
  ],
  [{ type: 'Ended', data: { reason: 'closed', class: 'deliberate' } }, 'Ended (deliberate): closed'],
  [{ type: 'Archived', data: { by: 'idle' } }, 'Archived, for nothing happened for long'],
  [
    { type: 'Deleted', data: { deletionId: 'x', seed: 's', along: ['d1', 'd2'] } },
    'Deleted with session s, along with 2 delegates: d1, d2 (deletion x)',
  ],
  [{ type: 'Renamed', data: { title: 'plan', by: 'model' } }, 'Named it “plan” (model)'],
  [
    { type: 'UsageRecorded', data: { key: 'q1', tokens: { input: 3, output: 1 }, model: 'opus', costUsd: 0.5 } },
    'Used 3 input, 1 output tokens of opus, $0.5 (q1)',
  ],
  [
    { type: 'SettingChanged', data: { key: 'reaction', message: 'm1', author: 'ada', emoji: '👍', present: true } },
    'ada put 👍 on message m1',
  ],
] as const)('%j reads as words', (event, words) => {
  expect(describeEvent(new SessionLog().add('s', event, { actor: importer }))).toBe(words)
})

test('what is unknown or purged is still a line', () => {
  const { type: _type, data: _data, ...envelope } = new SessionLog().add('s', asks('m1'))
  expect(auditLine({ ...envelope, type: 'Invented', data: { at: 'noon' }, unknown: true }).what).toBe(
    'Written by another version or program; carried along as it is',
  )
  expect(auditLine({ ...envelope, type: 'Renamed', data: null, erased: true }).what).toBe('What it said was purged')
})

const seed = 81_121
prop.prop([rawHistory], { seed, numRuns: 100 })(`every event has words on one line (seed ${seed})`, (history) => {
  for (const event of new SessionLog().addAll(history).events) expect(describeEvent(event)).toMatch(/^\S.+$/u)
})

test('why: all events that touched a message, in its own session and in a branch', () => {
  const log = new SessionLog()
  log.add('s', answers('m1', 'He', { partial: 1 }))
  log.add('s', answers('m1', 'Hello'))
  log.add('s', { type: 'MessageEdited', data: { message: 'm1', parts: [] } })
  log.add('s', compacted('k1', 2, ['m1']))
  log.add('b', branched('b', 's', 3, 'm1'))
  log.add('s', rewound('u1', null))
  log.add('s', undone('u1', 'u2'))
  log.add('b', { type: 'WireFormSet', data: { message: 'm1', parts: [], why: 'prune' } })
  log.add('b', compacted('k2', 1))
  const why = (session: string) =>
    whyMessage(log.rows, streamOf(session), 'm1')?.map(
      ({ stream, revision, how }) => `${stream.slice(-1)}${revision} ${how}`,
    )
  expect(why('s')).toEqual(['s0 appended', 's1 completed', 's2 edited', 's3 kept', 's4 rewound', 's5 brought-back'])
  expect(why('b')).toEqual([
    's0 appended',
    's1 completed',
    's2 edited',
    's3 kept',
    'b0 inherited',
    'b1 wire-form',
    'b2 covered',
  ])
  expect(whyMessage(log.rows, streamOf('s'), 'nowhere')).toBeUndefined()
})
