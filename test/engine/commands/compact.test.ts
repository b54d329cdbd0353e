import { describe, expect, test } from 'vitest'
import { commandEventId, type SessionEvent } from '@refold/events'
import { compact, compactedEvent, type Compaction } from '../../../packages/engine/src/commands/compact.ts'
import { widenKept, type ContextMessageFacts } from '../../../packages/engine/src/commands/widen-kept.ts'
import { initialSession, type SessionState } from '../../../packages/engine/src/deciding/session-state.ts'
import { given, message, started } from '../../support/command-spec.ts'
import { sha256 } from '../../support/sha256.ts'

const talk = [started, message('m1'), message('m2', 'assistant'), message('m3')]

const compaction = (changed: Partial<Compaction> = {}): Compaction => ({
  base: 3,
  watermark: 3,
  held: 'digest',
  summary: 'short',
  summaryBytes: 10,
  wireForms: [],
  blobs: [],
  ...changed,
  context: {
    covered: ['m1', 'm2', 'm3'],
    kept: ['m3'],
    summary: null,
    bytesBefore: 300,
    bytesKept: 100,
    idsAtWatermark: ['m1', 'm2', 'm3'],
    unsaid: [],
    digestAtWatermark: 'digest',
    ...changed.context,
  },
})
const compacting =
  (changed: Partial<Compaction> = {}) =>
  (desk: Parameters<typeof compact>[0]) =>
    compact(desk, 's', compaction(changed))
const rewound: SessionEvent = { type: 'Rewound', data: { undoId: 'u', lastThatStays: 'm1', reason: 'rewind' } }

describe('compact', () => {
  test('writes what it covers, keeps and saves', async () => {
    await given(talk)
      .when(compacting(), { key: 'k' })
      .writes(
        [
          {
            type: 'Compacted',
            data: {
              compactionId: compactionIdUnder('k'),
              base: 3,
              watermark: 3,
              held: 'digest',
              kept: ['m3'],
              summary: 'short',
              summaryRole: 'user',
              wireForms: [],
              covers: 2,
              sizes: { bytesBefore: 300, bytesAfter: 110 },
            },
          },
        ],
        { kept: ['m3'], covers: 2, bytesBefore: 300, bytesAfter: 110 },
      )
  })

  const changes: readonly (readonly [string, SessionEvent])[] = [
    ['a rewind', rewound],
    ['its undoing', { type: 'RewindUndone', data: { undoId: 'u', newUndoId: 'v' } }],
    ['an edit', { type: 'MessageEdited', data: { message: 'm1', parts: [] } }],
    ['a redaction', { type: 'Redacted', data: { targets: [], reason: 'key' } }],
    ['a wire form', { type: 'WireFormSet', data: { message: 'm1', parts: [], why: 'long' } }],
    ['a rotation', { type: 'Rotated', data: { from: 's', to: 's-2', reason: 'r' } }],
    ['the undoing of a compaction', { type: 'CompactionUndone', data: { compactionId: 'c' } }],
    [
      'another compaction',
      {
        type: 'Compacted',
        data: {
          compactionId: 'c',
          base: 1,
          watermark: 1,
          held: '',
          kept: [],
          summary: '',
          summaryRole: 'user',
          wireForms: [],
          covers: 1,
          sizes: { bytesBefore: 2, bytesAfter: 1 },
        },
      },
    ],
  ]

  test.for(changes)('is stale after %s since its base', ([, event]) =>
    given([...talk, event])
      .when(compacting())
      .refuses('stale-compaction', { base: 3, because: event.type, revision: 4 }),
  )

  test.for(changes)('is not stale when its author knew of %s', ([, event]) =>
    given([...talk, event])
      .when(compacting({ base: 4 }))
      .writesTypes(['Compacted']),
  )

  test.for([
    ['an append', message('m4')],
    ['a new title', { type: 'Renamed', data: { title: 'x', by: 'person' } }],
    ['a setting', { type: 'SettingChanged', data: { key: 'pinned', value: true } }],
    ['an accident', { type: 'Ended', data: { reason: 'crash', class: 'accident' } }],
    ['a failed compaction', { type: 'CompactionFailed', data: { reason: 'slow' } }],
  ] satisfies (readonly [string, SessionEvent])[])('nothing else matters: %s', ([, event]) =>
    given([...talk, event])
      .when(compacting())
      .writesTypes(['Compacted']),
  )

  test.for(['deliberate', 'reset'] as const)('is refused once a session ended by %s', (cls) =>
    given([...talk, { type: 'Ended', data: { reason: 'done', class: cls } }])
      .when(compacting())
      .refuses('session-ended'),
  )

  test('is refused for a deleted session', () =>
    given([...talk, { type: 'Deleted', data: { deletionId: 'd', seed: 's', along: [] } }])
      .when(compacting())
      .refuses('session-deleted'))

  test('is refused for a watermark or base that is not there yet', async () => {
    await given(talk)
      .when(compacting({ watermark: 9 }))
      .refuses('bad-watermark', { watermark: 9, revision: 3 })
    await given(talk)
      .when(compacting({ base: 9 }))
      .refuses('bad-watermark')
  })

  test('seams 3.4: must make the context smaller by the engine’s own measure', () =>
    given(talk)
      .when(compacting({ summaryBytes: 200, tokensBefore: 9_000, tokensAfter: 1 }))
      .refuses('not-smaller', { bytesBefore: 300, bytesAfter: 300 }))

  test('counts no summary apart that a carrier holds', async () => {
    const wireForms = [{ message: 'm3', parts: [{ type: 'text', text: 'short\n\nm3' }] }] as const
    const event = compactedEvent(sessionAt(3), compaction({ carrier: 'm3', wireForms, summaryBytes: 500 }), 'c')
    expect(event).toMatchObject({ data: { carrier: 'm3', wireForms, sizes: { bytesAfter: 100 } } })
  })

  test('seams 3.1: what its author did not read is not covered', () =>
    given(talk)
      .when(compacting({ held: ['m1', 'm3'] }))
      .refuses('not-held', { lacking: ['m2'], foreign: [] }))

  test('seams 3.1: what is not in the context was not held', () =>
    given(talk)
      .when(compacting({ held: ['m1', 'm2', 'm3', 'x'] }))
      .refuses('not-held', { lacking: [], foreign: ['x'] }))

  test('seams 3.1: a digest of something else is refused', () =>
    given(talk)
      .when(compacting({ held: 'other' }))
      .refuses('not-held', { lacking: ['m1', 'm2', 'm3'] }))

  test('seams 3.1: the ids themselves are as good as the digest', () =>
    given(talk)
      .when(compacting({ held: ['m1', 'm2', 'm3'] }))
      .writesTypes(['Compacted']))

  test('stands for what an earlier summary stood for, too', () => {
    const context = { ...compaction().context, summary: { id: 'c0', covers: 30, watermark: 1 } }
    const event = compactedEvent(sessionAt(3), compaction({ context, held: ['c0', 'm1', 'm2', 'm3'] }), 'c')
    expect(event).toMatchObject({ data: { covers: 32 } })
  })
})

const facts = (id: string, changed: Partial<ContextMessageFacts> = {}): ContextMessageFacts => ({
  id,
  role: 'assistant',
  isPersons: false,
  isAnswer: false,
  calls: [],
  results: [],
  isPartial: false,
  ...changed,
})
const asks = (id: string): ContextMessageFacts => facts(id, { role: 'user', isPersons: true })
const answers = (id: string): ContextMessageFacts => facts(id, { isAnswer: true })
const calls = (id: string, ...calls: string[]): ContextMessageFacts => facts(id, { calls })
const brings = (id: string, ...results: string[]): ContextMessageFacts => facts(id, { role: 'tool', results })

const keep = (...ids: string[]): ReadonlySet<string> => new Set(ids)

describe('what is kept is widened outwards', () => {
  test('a kept result brings its call', () =>
    expect(
      widenKept([asks('q'), calls('c', '1'), brings('r', '1'), answers('a'), asks('q2'), answers('b')], keep('r'), []),
    ).toEqual(['c', 'r', 'q2']))

  test('a kept call brings all its results, and their calls', () =>
    expect(
      widenKept(
        [asks('q'), calls('c', '1', '2'), brings('r1', '1'), brings('r2', '2'), answers('a')],
        keep('c', 'q'),
        [],
      ),
    ).toEqual(['q', 'c', 'r1', 'r2']))

  test('a call whose result comes later stays', () =>
    expect(widenKept([asks('q'), answers('a'), calls('c', '1')], keep('q'), [brings('r', '1')])).toEqual(['q', 'c']))

  test('an unanswered question stays, with all that were asked since the last answer', () =>
    expect(widenKept([asks('q1'), answers('a'), asks('q2'), asks('q3')], keep(), [])).toEqual(['q2', 'q3']))

  test('a question that is still being worked on counts as unanswered', () =>
    expect(widenKept([asks('q'), calls('c', '1'), brings('r', '1')], keep(), [])).toEqual(['q']))

  test('a question that was answered later may go', () =>
    expect(widenKept([asks('q1')], keep(), [answers('a'), asks('q2')])).toEqual([]))

  test('some question of a person is always left', () =>
    expect(widenKept([asks('q1'), answers('a1'), asks('q2'), answers('a2')], keep('a2'), [])).toEqual(['q2', 'a2']))

  test('a growing answer stays', () =>
    expect(
      widenKept([asks('q'), answers('a'), facts('p', { isPartial: true }), asks('q2'), answers('a2')], keep('q'), []),
    ).toEqual(['q', 'p']))
})

function sessionAt(revision: number): SessionState {
  return { ...initialSession, session: 's', revision }
}

function compactionIdUnder(key: string): string {
  return commandEventId(sha256, 'session-default.s', key, 0)
}
