import { expect, test } from 'vitest'
import { contextPlan } from '@refold/projections'
import { rendered, sent, shown, transcriptJson } from '../support/read-log.ts'
import {
  answers,
  asks,
  branched,
  calls,
  compacted,
  returns,
  rewound,
  SessionLog,
  started,
  streamOf,
  undone,
} from '../support/session-log.ts'

/** m1 at revision 1 to m6 at revision 6. */
const talk = (): SessionLog => {
  const log = new SessionLog()
  log.add('s', started('s'))
  for (const [ask, answer] of [
    ['m1', 'm2'],
    ['m3', 'm4'],
    ['m5', 'm6'],
  ] as const)
    log.addAll([
      { session: 's', event: asks(ask) },
      { session: 's', event: answers(answer) },
    ])
  return log
}

const edited = (message: string, text: string) => ({
  type: 'MessageEdited' as const,
  data: { message, parts: [{ type: 'text' as const, text }] },
})

const stub = (message: string, text: string | null) => ({
  type: 'WireFormSet' as const,
  data: { message, parts: text === null ? null : [{ type: 'text' as const, text }], why: 'prune' },
})

test('20: a summary stands for what it covers; what it keeps and all later messages stay live after it, once', () => {
  const log = talk()
  log.add('s', compacted('k1', 4, ['m4']))
  log.add('s', asks('m7'))
  expect(sent(log, 's')).toEqual(['user: summary k1', 'assistant: m4', 'user: m5', 'assistant: m6', 'user: m7'])
  expect(rendered(log, 's').messages[0]).toMatchObject({ standsFor: 'summary', id: 'k1' })
})

test('18: a compaction changes nothing in the transcript but its mark', () => {
  const log = talk()
  const before = shown(log, 's')
  log.add('s', compacted('k1', 6, ['m6']))
  expect(shown(log, 's')).toEqual([...before, 'compaction:k1'])
})

test('the newest summary counts; taken back, the one before it, else the originals', () => {
  const log = talk()
  log.add('s', compacted('k1', 2))
  log.add('s', compacted('k2', 4))
  expect(sent(log, 's')).toEqual(['user: summary k2', 'user: m5', 'assistant: m6'])
  log.add('s', { type: 'CompactionUndone', data: { compactionId: 'k2' } })
  expect(sent(log, 's')).toEqual(['user: summary k1', 'user: m3', 'assistant: m4', 'user: m5', 'assistant: m6'])
  log.add('s', { type: 'CompactionUndone', data: { compactionId: 'k1' } })
  expect(sent(log, 's').slice(0, 2)).toEqual(['user: m1', 'assistant: m2'])
  expect(sent(log, 's', 8)).toEqual(['user: summary k2', 'user: m5', 'assistant: m6'])
})

test('29: the same compaction twice counts once', () => {
  const log = talk()
  log.add('s', compacted('k1', 2))
  log.add('s', compacted('k1', 6))
  expect(sent(log, 's').slice(0, 2)).toEqual(['user: summary k1', 'user: m3'])
})

test.each([
  ['edited', edited('m1', 'new')],
  ['rewound', rewound('u1', 'm1')],
  [
    'redacted',
    { type: 'Redacted', data: { targets: [{ eventId: '0', revision: 2, parts: [], digest: '' }], reason: 'r' } },
  ],
] as const)('a summary no longer stands once a message that it covers was %s', (_, event) => {
  const log = talk()
  log.add('s', compacted('k1', 4))
  log.add('s', event)
  expect(sent(log, 's')[0]).not.toBe('user: summary k1')
  expect(contextPlan(log.rows, streamOf('s'), 7).summary?.id).toBe('k1')
})

test('a summary stands again once the rewind over what it covers is undone', () => {
  const log = talk()
  log.add('s', compacted('k1', 4))
  log.add('s', rewound('u1', 'm1'))
  expect(sent(log, 's')).toEqual(['user: m1'])
  log.add('s', undone('u1', 'u2'))
  expect(sent(log, 's')).toEqual(['user: summary k1', 'user: m5', 'assistant: m6'])
})

test('a summary stands when only kept or later messages are edited or rewound', () => {
  const log = talk()
  log.add('s', compacted('k1', 4, ['m4']))
  log.add('s', edited('m4', 'new'))
  log.add('s', rewound('u1', 'm5'))
  expect(sent(log, 's')).toEqual(['user: summary k1', 'assistant: new', 'user: m5'])
  log.add('s', rewound('u2', 'm3'))
  expect(sent(log, 's')).toEqual(['user: summary k1'])
})

test('what was rewound when the summary was made comes back as it is', () => {
  const log = talk()
  log.add('s', { type: 'Rewound', data: { undoId: 'u1', lastThatStays: null, only: ['m2'], reason: 'import' } })
  log.add('s', compacted('k1', 4))
  log.add('s', undone('u1', 'u2'))
  expect(sent(log, 's')).toEqual(['user: summary k1', 'assistant: m2', 'user: m5', 'assistant: m6'])
})

test('37: a carrier that is sent holds the summary; without it the summary is sent apart', () => {
  const log = talk()
  const wireForms = [{ message: 'm3', parts: [{ type: 'text', text: 'in short … and m3' }] }]
  log.add('s', compacted('k1', 4, ['m3', 'm4'], { carrier: 'm3', wireForms }))
  expect(sent(log, 's').slice(0, 2)).toEqual(['user: in short … and m3', 'assistant: m4'])
  log.add('s', edited('m3', 'other'))
  expect(sent(log, 's').slice(0, 3)).toEqual(['user: summary k1', 'user: other', 'assistant: m4'])
})

test('a form under a compaction goes with it; one set by itself stays', () => {
  const log = talk()
  log.add('s', stub('m6', 'stub'))
  const wireForms = [{ message: 'm4', parts: [{ type: 'text', text: 'short m4' }] }]
  log.add('s', compacted('k1', 4, ['m4'], { wireForms }))
  expect(sent(log, 's')).toEqual(['user: summary k1', 'assistant: short m4', 'user: m5', 'assistant: stub'])
  log.add('s', compacted('k2', 5, ['m4']))
  expect(sent(log, 's')).toEqual(['user: summary k2', 'assistant: m4', 'assistant: stub'])
  log.add('s', stub('m6', null))
  expect(sent(log, 's').at(-1)).toBe('assistant: m6')
  expect(sent(log, 's', 9).at(-1)).toBe('assistant: stub')
})

test('an edit after a pruning shows the model the edited text', () => {
  const log = talk()
  log.add('s', stub('m6', 'stub'))
  log.add('s', edited('m6', 'new'))
  expect(sent(log, 's').at(-1)).toBe('assistant: new')
})

test('an answer that grows at the very end waits; it is sent once something follows or it is complete', () => {
  const log = talk()
  log.add('s', answers('m7', 'Hel', { partial: 1 }))
  expect(sent(log, 's').at(-1)).toBe('assistant: m6')
  log.add('s', asks('m8'))
  expect(sent(log, 's').slice(-2)).toEqual(['assistant: Hel', 'user: m8'])
})

test('19: an answer that was not complete when it was summarised is never lost', () => {
  const log = talk()
  log.add('s', answers('m7', 'Hel', { partial: 1 }))
  log.add('s', compacted('k1', 7))
  expect(sent(log, 's')).toEqual(['user: summary k1'])
  log.add('s', answers('m7', 'Hello!'))
  expect(sent(log, 's')).toEqual(['user: summary k1', 'assistant: Hello!'])
  const followed = talk()
  followed.add('s', answers('m7', 'Hel', { partial: 1 }))
  followed.add('s', asks('m8'))
  followed.add('s', compacted('k1', 8))
  followed.add('s', answers('m7', 'Hello!'))
  expect(sent(followed, 's')).toEqual(['user: summary k1', 'assistant: Hello!'])
  expect(sent(followed, 's', 9)).toEqual(['user: summary k1'])
})

test('messages for people only and those of failed turns are not sent', () => {
  const log = talk()
  log.add('s', asks('m7', 'm7', { shownTo: 'person' }))
  log.add('s', asks('m8', 'm8', { turn: 't1' }))
  log.add('s', { type: 'TurnEnded', data: { turn: 't1', outcome: 'failed' } })
  log.add('s', { type: 'Noted', data: { note: 'n1', kind: 'host', shownTo: 'model', text: 'noted' } })
  expect(sent(log, 's').slice(-2)).toEqual(['assistant: m6', 'system: noted'])
  expect(sent(log, 's', 8).at(-1)).toBe('user: m8')
})

test('the prompt and model are those of the revision asked for, and a branch has those of its cut', () => {
  const log = talk()
  log.add('s', { type: 'SettingChanged', data: { key: 'system-prompt', value: 'be kind' } })
  log.add('s', { type: 'SettingChanged', data: { key: 'model', value: 'opus' } })
  log.add('b', branched('b', 's', log.head('s'), 'm2'))
  log.add('s', { type: 'SettingChanged', data: { key: 'system-prompt', value: null } })
  expect(rendered(log, 's').systemPrompt).toBeNull()
  expect(rendered(log, 's', 7).systemPrompt).toBe('be kind')
  expect(rendered(log, 'b').systemPrompt).toBe('be kind')
  expect(contextPlan(log.rows, streamOf('b')).model).toBe('opus')
})

test('a branch has the summary that covers no more than it inherits, else the originals', () => {
  const log = talk()
  log.add('s', compacted('k1', 2))
  log.add('s', compacted('k2', 6, ['m6']))
  const head = log.head('s')
  log.add('b', branched('b', 's', head, 'm4'))
  expect(sent(log, 'b')).toEqual(['user: summary k1', 'user: m3', 'assistant: m4'])
  log.add('c', branched('c', 's', head, 'm6'))
  expect(sent(log, 'c')).toEqual(['user: summary k2', 'assistant: m6'])
  log.add('d', branched('d', 's', head, 'm1'))
  expect(sent(log, 'd')).toEqual(['user: m1'])
})

test('a branch compacts, edits and rewinds what it inherits for itself only', () => {
  const log = talk()
  log.add('s', compacted('k1', 2))
  log.add('b', branched('b', 's', log.head('s'), 'm6'))
  log.add('b', edited('m2', 'mine'))
  expect(sent(log, 'b').slice(0, 2)).toEqual(['user: m1', 'assistant: mine'])
  log.add('b', compacted('k2', log.head('b'), ['m6']))
  log.add('b', asks('b1'))
  expect(sent(log, 'b')).toEqual(['user: summary k2', 'assistant: m6', 'user: b1'])
  log.add('b', rewound('u1', 'm3'))
  expect(sent(log, 'b')).toEqual(['user: m1', 'assistant: mine', 'user: m3'])
  expect(sent(log, 's')[0]).toBe('user: summary k1')
})

test('the digest names exactly the ids and forms in the context', () => {
  const log = talk()
  const digest = (at?: number): string => rendered(log, 's', at).digest
  const first = digest()
  log.add('s', { type: 'SettingChanged', data: { key: 'pinned', value: true } })
  expect(digest()).toBe(first)
  log.add('s', asks('m7'))
  const second = digest()
  expect(second).not.toBe(first)
  expect(digest(6)).toBe(first)
  log.add('s', stub('m1', 'stub'))
  expect(digest()).not.toBe(second)
})

test('the size is that of the UTF-8 text, and an attachment counts as a fixed number', () => {
  const log = new SessionLog()
  log.add('s', asks('m1', 'é€😀'))
  expect(rendered(log, 's').bytes).toBe(Buffer.byteLength('{"role":"user","parts":[{"type":"text","text":"é€😀"}]}'))
  const image = { type: 'image' as const, blob: 'a'.repeat(64), bytes: 5_000_000 }
  log.add('s', asks('m2', '', { parts: [image] }))
  expect(rendered(log, 's').bytes).toBe(60 + 26 + 4096)
})

test('47: calls and results that were left alone are paired on the way out', () => {
  const log = new SessionLog()
  log.add('s', calls('m1', 'c1', 'c2'))
  log.add('s', returns('m2', 'c1'))
  expect(sent(log, 's')).toEqual(['assistant: call c1, call c2', 'tool: result c1 m2'])
  log.add('s', asks('m3'))
  log.add('s', returns('m4', 'c2'))
  expect(sent(log, 's')).toEqual([
    'assistant: call c1, call c2',
    'tool: result c1 m2',
    'tool: result c2 Interrupted: no result of this call was recorded, its outcome is unknown.',
    'user: m3',
    'user: [Result of call c2]\nm4',
  ])
})

test('an answer that nobody had seen complete when it was summarised is sent once something follows it', () => {
  const log = talk()
  log.add('s', answers('m7', 'Hel', { partial: 1 }))
  log.add('s', compacted('k1', 7))
  log.add('s', asks('m8'))
  expect(sent(log, 's')).toEqual(['user: summary k1', 'assistant: Hel', 'user: m8'])
})

test('marks behind the last summarised message are not covered: a branch from it has the summary', () => {
  const log = talk()
  log.add('s', { type: 'Rotated', data: { from: 's', to: 't', reason: 'r' } })
  log.add('s', compacted('k1', 7))
  log.add('b', branched('b', 's', log.head('s'), 'm6'))
  expect(sent(log, 'b')).toEqual(['user: summary k1'])
})

test('a branch that rewinds into what an inherited summary covers goes back to the originals', () => {
  const log = talk()
  log.add('s', compacted('k1', 4))
  log.add('b', branched('b', 's', log.head('s'), 'm6'))
  log.add('b', rewound('u1', 'm3'))
  expect(sent(log, 'b')).toEqual(['user: m1', 'assistant: m2', 'user: m3'])
  log.add('b', undone('u1', 'u2'))
  expect(sent(log, 'b')[0]).toBe('user: summary k1')
})

test('half a character is sent and shown as U+FFFD, wherever it stands, while the log keeps it', () => {
  const log = new SessionLog()
  const half = 'cut \ud83d here'
  log.add('s', started('s'))
  log.add('s', asks('m1', half))
  const call = { type: 'tool-call', id: 'c1', name: 'bash', arguments: { [half]: [half, 1, null] } } as const
  log.add('s', answers('m2', '', { parts: [call, { type: 'other', kind: 'x', data: { deep: half } }] }))
  log.add('s', returns('m3', 'c1', half))
  expect(rendered(log, 's').messages.map(({ parts }) => parts)).toEqual([
    [{ type: 'text', text: 'cut \ufffd here' }],
    [
      { ...call, arguments: { 'cut \ufffd here': ['cut \ufffd here', 1, null] } },
      { type: 'other', kind: 'x', data: { deep: 'cut \ufffd here' } },
    ],
    [{ type: 'tool-result', toolCallId: 'c1', text: 'cut \ufffd here' }],
  ])
  expect(JSON.stringify(transcriptJson(log, 's'))).not.toMatch(/\\ud83d/u)
  expect(log.events[1]).toMatchObject({ data: { parts: [{ text: half }] } })
})

test('what failed before a branch was cut is in no summary of the branch, so changing it leaves that standing', () => {
  const log = new SessionLog()
  log.add('s', asks('m1', 'm1', { turn: 't1' }))
  for (let n = 0; n < 8; n++) log.add('s', { type: 'Archived', data: { by: 'idle' } })
  log.add('s', { type: 'TurnEnded', data: { turn: 't1', outcome: 'failed' } })
  log.add('s', asks('m2'))
  log.add('b', branched('b', 's', 10, 'm2'))
  log.add('b', answers('m3'))
  log.add('b', compacted('k', 1, ['m3']))
  const before = sent(log, 'b')
  expect(before).toEqual(['user: summary k', 'assistant: m3'])
  log.add('b', { type: 'Rewound', data: { undoId: 'u', lastThatStays: null, only: ['m1'], reason: 'import' } })
  expect(sent(log, 'b')).toEqual(before)
  log.add('b', { type: 'MessageEdited', data: { message: 'm1', parts: [] } })
  expect(sent(log, 'b')).toEqual(before)
})
