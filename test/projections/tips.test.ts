import { expect, test } from 'vitest'
import { sessionJson, sessionRow, statusWord, type ListPage, type ListQuery, listSessions } from '@refold/projections'
import { tipOf } from '../support/read-log.ts'
import {
  answers,
  asks,
  branched,
  compacted,
  delegated,
  deleted,
  importer,
  renamed,
  restored,
  rewound,
  SessionLog,
  START,
  started,
  streamOf,
  undone,
} from '../support/session-log.ts'

const list = (log: SessionLog, query: Partial<ListQuery> = {}): ListPage => {
  const page = listSessions(log.rows, { namespace: 'default', ...query })
  if (!page.ok) throw new Error(page.code)
  return page
}
const listed = (log: SessionLog, query: Partial<ListQuery> = {}): readonly string[] =>
  list(log, query).sessions.map(({ session }) => session)

test('a session is one row with all that the list shows', () => {
  const log = new SessionLog()
  log.add('s', started('s', { workspace: '/work', model: 'opus' }))
  log.add('s', asks('m1', '  Why does the\n sensor … '))
  log.add('s', answers('m2'))
  log.add('s', renamed('fingerprint-scanner'))
  log.add('s', { type: 'Rotated', data: { from: 's', to: 's-2', reason: 'compaction' } })
  log.add('s', { type: 'SettingChanged', data: { key: 'pinned', value: true } })
  log.add('s', { type: 'SettingChanged', data: { key: 'tag', tag: 'work', present: true } })
  log.add('s', { type: 'UsageRecorded', data: { key: 'q1', tokens: { input: 7, output: 2 }, costUsd: 0.25 } })
  log.add('s', { type: 'TurnStarted', data: { turn: 't1', holder: 'cli', leaseMs: 60_000 } })
  expect(sessionJson(sessionRow(tipOf(log, 's'), ['s', 's-2'], START + 10_000))).toEqual({
    id: 's',
    tip: 's-2',
    segments: ['s', 's-2'],
    title: 'fingerprint-scanner',
    titleBy: 'person',
    preview: 'Why does the sensor …',
    status: 'running',
    archived: false,
    pinned: true,
    hidden: false,
    tags: ['work'],
    workspace: '/work',
    model: 'opus',
    origin: { kind: 'root' },
    startedAt: '2026-06-19T13:00:01.000Z',
    lastActivityAt: '2026-06-19T13:00:03.000Z',
    messages: 2,
    delegates: 0,
    turn: { id: 't1', leaseUntil: '2026-06-19T13:01:09.000Z' },
    usage: { inputTokens: 7, outputTokens: 2, costUsd: 0.25 },
  })
})

test('a row counts the tokens of the main loop, and the money of all that was done for the session', () => {
  const log = new SessionLog()
  log.add('s', started('s'))
  log.add('s', { type: 'UsageRecorded', data: { key: 'q1', tokens: { input: 7, output: 2 }, costUsd: 0.25 } })
  log.add('s', {
    type: 'UsageRecorded',
    data: { key: 'q2', task: 'compaction', tokens: { input: 900, output: 80 }, costUsd: 0.5 },
  })
  expect(tipOf(log, 's')).toMatchObject({ inputTokens: 7, outputTokens: 2, costUsd: 0.75 })
})

test('the preview is the first words of a person in sight, never those of an engine, and jumps over what was rewound', () => {
  const log = new SessionLog()
  log.add('s', asks('m0', 'You are an agent', { provenance: 'engine' }))
  log.add('s', answers('m1', 'Hello'))
  log.add('s', asks('m2', ''))
  log.add('s', asks('m3', 'first'))
  log.add('s', rewound('u1', 'm2'))
  expect(tipOf(log, 's')).toMatchObject({ preview: null, messages: 3 })
  log.add('s', asks('m4', 'second'))
  expect(tipOf(log, 's')).toMatchObject({ preview: 'second', messages: 4 })
  log.add('s', undone('u1', 'u2'))
  expect(tipOf(log, 's')).toMatchObject({ preview: 'first', messages: 4 })
  log.add('s', { type: 'MessageEdited', data: { message: 'm2', parts: [{ type: 'text', text: 'earlier' }] } })
  expect(tipOf(log, 's').preview).toBe('earlier')
})

test('a file that was sent without a word stands for the session by its name', () => {
  const log = new SessionLog()
  log.add('s', started('s'))
  log.add('s', asks('m1', '', { parts: [{ type: 'image', url: 'https://example.org/a.png' }] }))
  expect(tipOf(log, 's').preview).toBeNull()
  const file = { type: 'file', name: 'pressures  2026.csv', url: 'https://example.org/b' } as const
  log.add('s', asks('m2', '', { parts: [{ type: 'text', text: ' ' }, file] }))
  expect(tipOf(log, 's').preview).toBe('pressures 2026.csv')
  log.add('s', rewound('u1', 'm1'))
  log.add('s', asks('m3', '', { parts: [file, { type: 'text', text: 'What about these?' }] }))
  expect(tipOf(log, 's').preview).toBe('What about these?')
})

test('a branch counts and previews what it begins with, and keeps that when its origin changes', () => {
  const log = new SessionLog()
  log.add('s', asks('m1', 'one'))
  log.add('s', answers('m2'))
  log.add('s', asks('m3', 'three'))
  log.add('b', branched('b', 's', log.head('s'), 'm2'))
  expect(tipOf(log, 'b')).toMatchObject({ messages: 2, preview: 'one', originKind: 'branch', originMessage: 'm2' })
  log.add('s', { type: 'MessageEdited', data: { message: 'm1', parts: [{ type: 'text', text: 'uno' }] } })
  log.add('b', asks('b1', 'mine'))
  log.add('b', rewound('u1', null))
  log.add('b', undone('u1', 'u2'))
  expect(tipOf(log, 'b')).toMatchObject({ messages: 3, preview: 'one' })
})

test('a cut in the middle of what its origin had rewound counts only what the branch shows', () => {
  const log = new SessionLog()
  for (const id of ['m1', 'm2', 'm3', 'm4']) log.add('s', asks(id))
  log.add('s', rewound('u1', 'm1'))
  log.add('b', branched('b', 's', log.head('s'), 'm3'))
  expect(tipOf(log, 'b')).toMatchObject({ messages: 1, preview: 'm1' })
})

test('121: only messages are activity; clocks of the future count as the time of recording', () => {
  const log = new SessionLog()
  log.add('s', started('s'))
  log.add('s', asks('m1', 'm1', { at: START + 500 }))
  expect(tipOf(log, 's').lastActivityAt).toBe(START + 1000)
  log.add('s', answers('m2', 'm2', { at: START * 2 }))
  expect(tipOf(log, 's').lastActivityAt).toBe(START + 3000)
  log.add('s', renamed('t'))
  log.add('s', compacted('k1', 2))
  log.add('s', { type: 'MessageEdited', data: { message: 'm1', parts: [] } })
  log.add('s', { type: 'TurnStarted', data: { turn: 't', holder: 'h', leaseMs: 5 } })
  expect(tipOf(log, 's').lastActivityAt).toBe(START + 3000)
})

test('50: an import without believable times is listed by those of its neighbours, not by when it was imported', () => {
  const log = new SessionLog()
  const long = START - 30 * 86_400_000
  const imported = { actor: importer, recordedAt: START }
  log.add('s', started('s', { at: 0 }), imported)
  log.add('s', asks('m1', 'm1', { at: 1e14 }), imported)
  expect(tipOf(log, 's')).toMatchObject({ startedAt: START, lastActivityAt: START })
  const other = new SessionLog()
  other.add('s', started('s', { at: -1 }), imported)
  other.add('s', asks('m1', 'm1', { at: long }), imported)
  other.add('s', answers('m2', 'm2', { at: 3 }), imported)
  other.add('s', answers('m3', 'm3', {}), imported)
  expect(tipOf(other, 's')).toMatchObject({ startedAt: long, lastActivityAt: long })
})

test.each([
  ['nothing happened yet', [], 'empty'],
  ['it was answered', [asks('m1')], 'waiting'],
  ['all messages were rewound', [asks('m1'), rewound('u1', null)], 'empty'],
  [
    'a turn holds its lease',
    [{ type: 'TurnStarted', data: { turn: 't', holder: 'h', leaseMs: 1_000_000 } }],
    'running',
  ],
  [
    'a turn let its lease run out',
    [asks('m1'), { type: 'TurnStarted', data: { turn: 't', holder: 'h', leaseMs: 5 } }],
    'interrupted',
  ],
  [
    'an append of the turn renewed its lease',
    [{ type: 'TurnStarted', data: { turn: 't', holder: 'h', leaseMs: 8_000 } }, asks('m1', 'm1', { turn: 't' })],
    'running',
  ],
  [
    'its process went away',
    [asks('m1'), { type: 'Ended', data: { reason: 'gone', class: 'accident' } }],
    'interrupted',
  ],
  ['it was ended', [{ type: 'Ended', data: { reason: 'done', class: 'deliberate' } }], 'ended'],
  ['it was reset', [asks('m1'), { type: 'Ended', data: { reason: 'new', class: 'reset' } }], 'ended'],
  [
    'it was ended and opened again',
    [
      asks('m1'),
      { type: 'Ended', data: { reason: 'done', class: 'deliberate' } },
      { type: 'Reopened', data: { why: 'person' } },
    ],
    'waiting',
  ],
] as const)('the status word when %s', (_, events, word) => {
  const log = new SessionLog()
  log.add('s', started('s'))
  for (const event of events) log.add('s', event)
  expect(statusWord(tipOf(log, 's'), START + 10_500)).toBe(word)
})

test('60: the first deliberate end wins; only an accident gives way', () => {
  const log = new SessionLog()
  log.add('s', { type: 'Ended', data: { reason: 'crash', class: 'accident' } })
  log.add('s', { type: 'Ended', data: { reason: 'again', class: 'accident' } })
  expect(tipOf(log, 's').endReason).toBe('crash')
  log.add('s', { type: 'Ended', data: { reason: 'done', class: 'deliberate' } })
  log.add('s', { type: 'Ended', data: { reason: 'new', class: 'reset' } })
  expect(tipOf(log, 's')).toMatchObject({ endReason: 'done', endClass: 'deliberate' })
})

test('a delegate that reported has ended, until it works again', () => {
  const log = new SessionLog()
  log.add('p', started('p'))
  log.add('p', { type: 'DelegateSpawned', data: { session: 'd' } })
  log.add('p', { type: 'DelegateReported', data: { session: 'd', run: '1', outcome: 'done' } })
  log.add('d', delegated('d', 'p'))
  log.add('d', asks('m1'))
  expect(statusWord(tipOf(log, 'd'), START)).toBe('ended')
  log.add('d', { type: 'TurnStarted', data: { turn: 't', holder: 'h', leaseMs: 5 } })
  log.add('d', { type: 'TurnEnded', data: { turn: 't', outcome: 'done' } })
  expect(statusWord(tipOf(log, 'd'), START)).toBe('waiting')
  expect(tipOf(log, 'p').delegates).toBe(1)
})

test('48: the plain list holds each conversation once, and no delegates, untyped ones, strays, hidden or archived ones', () => {
  const log = new SessionLog()
  log.add('root', started('root'))
  log.add('root', asks('m1'))
  log.add('branch', branched('branch', 'root', 1, 'm1'))
  log.add('stray', branched('stray', 'root', 1, 'm1', 'stray'))
  log.add('delegate', delegated('delegate', 'root'))
  log.add('untyped', started('untyped', { origin: { kind: 'untyped', session: 'root' } }))
  log.add('reset', started('reset', { origin: { kind: 'reset', session: 'root' } }))
  log.add('hidden', { type: 'SettingChanged', data: { key: 'hidden', value: true } })
  log.add('old', { type: 'Archived', data: { by: 'idle' } })
  expect(listed(log)).toEqual(['reset', 'branch', 'root'])
  expect(list(log).total).toBe(3)
  expect(listed(log, { archived: true })).toEqual(['old', 'reset', 'branch', 'root'])
  expect(list(log, { all: true }).total).toBe(8)
})

test('51: pages go on where the last one ended, in every order', () => {
  const log = new SessionLog()
  for (const [session, title] of [
    ['s1', 'b'],
    ['s2', 'A'],
    ['s3', 'c'],
  ] as const) {
    log.add(session, renamed(title))
    log.add(session, asks('m1', 'm1', { at: START - 1000 }), { recordedAt: START })
  }
  const pages = (sort: 'activity' | 'start' | 'title'): readonly (readonly string[])[] => {
    const first = list(log, { sort, limit: 2 })
    const second = list(log, { sort, limit: 2, cursor: first.cursor ?? '' })
    expect(second.cursor).toBeNull()
    return [first, second].map(({ sessions }) => sessions.map(({ session }) => session))
  }
  expect(pages('activity')).toEqual([['s3', 's2'], ['s1']])
  expect(pages('start')).toEqual([['s3', 's2'], ['s1']])
  expect(pages('title')).toEqual([['s2', 's1'], ['s3']])
  expect(
    listSessions(log.rows, { namespace: 'default', sort: 'title', cursor: list(log, { limit: 1 }).cursor ?? '' }),
  ).toEqual({ ok: false, code: 'bad-cursor', cursor: expect.any(String) })
})

test('53: filters look at title, preview, ids of all segments, workspace and tag; totals do the same', () => {
  const log = new SessionLog()
  log.add('alpha', started('alpha', { workspace: '/a' }))
  log.add('alpha', asks('m1', 'About Élan'))
  log.add('beta', started('beta'))
  log.add('beta', renamed('Alphabet'))
  log.add('gamma', { type: 'Rotated', data: { from: 'gamma', to: 'later', reason: 'r' } })
  log.add('gamma', { type: 'SettingChanged', data: { key: 'tag', tag: 'x', present: true } })
  expect(listed(log, { search: 'ALPHA' })).toEqual(['beta', 'alpha'])
  expect(list(log, { search: 'e\u0301lan' }).total).toBe(1)
  expect(listed(log, { search: 'gamma' })).toEqual(['gamma'])
  expect(listed(log, { search: '' })).toHaveLength(3)
  expect(listed(log, { workspace: '/a' })).toEqual(['alpha'])
  expect(listed(log, { tag: 'x' })).toEqual(['gamma'])
})

const archived = (by: 'person' | 'idle') => ({ type: 'Archived' as const, data: { by } })
const unarchived = (by: 'person' | 'activity') => ({ type: 'Unarchived' as const, data: { by } })

test('59: activity takes a session out of the archive only where no person put it there', () => {
  const log = new SessionLog()
  log.add('s', archived('idle'))
  log.add('s', unarchived('activity'))
  expect(tipOf(log, 's').archived).toBeNull()
  log.add('s', archived('person'))
  log.add('s', archived('idle'))
  log.add('s', unarchived('activity'))
  expect(tipOf(log, 's').archived).toBe('person')
  log.add('s', unarchived('person'))
  expect(tipOf(log, 's').archived).toBeNull()
})

test('a deletion hides the seed and all that goes along at once, and restoring brings back what it took', () => {
  const log = new SessionLog()
  log.add('p', started('p'))
  log.add('d', delegated('d', 'p'))
  log.add('p', deleted('x', 'p', ['d', 'later']))
  log.add('later', delegated('later', 'p'))
  expect(list(log, { all: true }).total).toBe(0)
  log.add('d', deleted('x', 'p'))
  log.add('p', restored('x'))
  expect(listed(log, { all: true })).toEqual(['later', 'p'])
  log.add('d', restored('x'))
  expect(list(log, { all: true }).total).toBe(3)
  expect(tipOf(log, 'p').delegates).toBe(2)
})

test('64: once its parent is deleted, a session reads as root; strays and untyped ones are listed', () => {
  const log = new SessionLog()
  log.add('p', asks('m1'))
  log.add('b', branched('b', 'p', 0, 'm1'))
  log.add('t', branched('t', 'p', 0, 'm1', 'stray'))
  log.add('u', started('u', { origin: { kind: 'untyped', session: 'p' } }))
  const origins = () => ['b', 't', 'u'].map((session) => sessionRow(tipOf(log, session), [], START).origin)
  expect(origins()).toEqual([
    { kind: 'branch', session: 'p', message: 'm1' },
    { kind: 'stray', session: 'p' },
    { kind: 'untyped', session: 'p' },
  ])
  log.add('p', deleted('x', 'p'))
  expect(origins()).toEqual([
    { kind: 'root', was: 'branch' },
    { kind: 'root', was: 'stray' },
    { kind: 'root', was: 'untyped' },
  ])
  expect(listed(log, { sort: 'start' })).toEqual(['u', 't', 'b'])
  expect(tipOf(log, 'b').messages).toBe(1)
  log.add('p', restored('x'))
  expect(listed(log, { sort: 'start' })).toEqual(['b', 'p'])
})

test('in a circle of delegates the one that started first is the root', () => {
  const log = new SessionLog()
  log.add('a', delegated('a', 'c'))
  log.add('b', delegated('b', 'a'))
  log.add('c', delegated('c', 'b'))
  log.add('x', delegated('x', 'x'))
  expect(listed(log, { sort: 'start' })).toEqual(['x', 'a'])
  expect(sessionRow(tipOf(log, 'a'), [], START).origin).toEqual({ kind: 'root', was: 'delegate' })
})

test('33: failed compactions and their cooldown outlast rotations, and a successful one clears them', () => {
  const log = new SessionLog()
  log.add('s', asks('m1'))
  log.add('s', { type: 'CompactionFailed', data: { reason: 'r', cooldownUntil: START + 9 } })
  log.add('s', { type: 'Rotated', data: { from: 's', to: 't', reason: 'r' } })
  log.add('s', { type: 'CompactionFailed', data: { reason: 'r', cooldownUntil: START + 5 } })
  expect(tipOf(log, 's')).toMatchObject({ compactionFailures: 2, cooldownUntil: START + 9 })
  log.add('s', compacted('k', 0))
  expect(tipOf(log, 's')).toMatchObject({ compactionFailures: 0, cooldownUntil: null })
})

test('streams of claims and names that only look like a session have no row', () => {
  const log = new SessionLog()
  const event = log.add('s', started('s'))
  for (const stream of ['claim-title-0', 'session-nodot', 'session-%.x', 'other'])
    log.addRecorded({ ...event, stream, position: 99 })
  expect(list(log, { all: true }).total).toBe(1)
  expect(log.rows.tips.get(streamOf('s'))?.messages).toBe(0)
})
