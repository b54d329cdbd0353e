import { fc } from '@fast-check/vitest'
import type { SessionEvent } from '@refold/events'
import { branched, deleted, renamed, restored, rewound, START, started, undone, type Said } from './session-log.ts'

/*
 * Raw histories: any well-formed events in any order, also such as no engine writes. Small pools of names make them
 * collide: sessions that start twice, branch from or work for each other in circles, messages that come again.
 */

export const rawSessions = ['s1', 's2', 's3', 's4'] as const

const session = fc.constantFrom(...rawSessions)
const messageId = fc.constantFrom('m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'nowhere')
const undoId = fc.constantFrom('u1', 'u2', 'u3', 'u4', 'u5', 'u6')
const revision = fc.nat(12)
const title = fc.constantFrom('a', 'a #2', 'a #3', 'é', 'e\u0301', 'x'.repeat(99), 'x'.repeat(120))
const turn = fc.constantFrom('t1', 't2')
const time = fc.constantFrom(START, START + 5000, 0, -1, 1e300, 5, START * 2)
const maybeTime = fc.option(time, { nil: undefined }).map((at) => (at === undefined ? {} : { at }))

const part = fc.constantFrom(
  { type: 'text', text: 'words' } as const,
  { type: 'text', text: '  ' } as const,
  { type: 'tool-call', id: 'c1', name: 'bash', arguments: {} } as const,
  { type: 'tool-call', id: 'c2', name: 'bash', arguments: {} } as const,
  { type: 'tool-result', toolCallId: 'c1', text: 'out' } as const,
  { type: 'tool-result', toolCallId: 'c2', text: 'out' } as const,
)
const parts = fc.array(part, { maxLength: 3 })

const appended: fc.Arbitrary<SessionEvent> = fc
  .record({
    id: messageId,
    role: fc.constantFrom('user', 'assistant', 'tool'),
    parts,
    provenance: fc.constantFrom('person' as const, 'engine' as const, 'model' as const, 'tool' as const),
    shownTo: fc.constantFrom('both' as const, 'both' as const, 'both' as const, 'person' as const, 'model' as const),
    grows: fc.option(fc.nat(3), { nil: undefined }),
    turn: fc.option(turn, { nil: undefined }),
    time: maybeTime,
  })
  .map(({ grows, turn, time, ...data }) => ({
    type: 'MessageAppended',
    data: {
      ...data,
      ...time,
      ...(grows === undefined ? {} : { partial: grows }),
      ...(turn === undefined ? {} : { turn }),
    },
  }))

const origin = fc.oneof(
  fc.constant({ kind: 'root' as const }),
  fc.record({ kind: fc.constant('delegate' as const), session: fc.option(session) }),
  fc.record({ kind: fc.constantFrom('reset' as const, 'untyped' as const), session }),
)

const event: fc.Arbitrary<SessionEvent> = fc.oneof(
  { weight: 12, arbitrary: appended },
  {
    weight: 2,
    arbitrary: fc
      .record({ session, origin, time: maybeTime })
      .map((of) => started(of.session, { origin: of.origin, ...of.time })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(session, session, revision, fc.option(messageId), fc.constantFrom('branch' as const, 'stray' as const))
      .map(([of, from, asOf, through, kind]) => branched(of, from, asOf, through, kind)),
  },
  { weight: 3, arbitrary: fc.tuple(undoId, fc.option(messageId)).map(([id, last]) => rewound(id, last)) },
  {
    weight: 1,
    arbitrary: fc.tuple(undoId, fc.array(messageId, { maxLength: 3 })).map(([id, only]): SessionEvent => ({
      type: 'Rewound',
      data: { undoId: id, lastThatStays: null, only, reason: 'import' },
    })),
  },
  { weight: 3, arbitrary: fc.tuple(undoId, undoId).map(([id, other]) => undone(id, other)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(messageId, parts)
      .map(([message, parts]): SessionEvent => ({ type: 'MessageEdited', data: { message, parts } })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        compactionId: fc.constantFrom('k1', 'k2', 'k3'),
        watermark: revision,
        kept: fc.array(messageId, { maxLength: 3 }),
        carrier: messageId,
        wired: fc.array(messageId, { maxLength: 2 }),
      })
      .map(({ wired, ...data }): SessionEvent => ({
        type: 'Compacted',
        data: {
          ...data,
          base: data.watermark,
          held: '',
          summary: 'in short',
          summaryRole: 'user',
          wireForms: wired.map((message) => ({ message, parts: [{ type: 'text', text: 'in short, and this' }] })),
          covers: 2,
          sizes: { bytesBefore: 2, bytesAfter: 1 },
        },
      })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('k1', 'k2', 'k3')
      .map((compactionId): SessionEvent => ({ type: 'CompactionUndone', data: { compactionId } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(messageId, fc.option(parts))
      .map(([message, parts]): SessionEvent => ({ type: 'WireFormSet', data: { message, parts, why: 'prune' } })),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(title, fc.constantFrom('person' as const, 'model' as const)).map(([to, by]) => renamed(to, by)),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('deliberate' as const, 'accident' as const, 'reset' as const)
      .map((c): SessionEvent => ({ type: 'Ended', data: { reason: 'r', class: c } })),
  },
  { weight: 1, arbitrary: fc.constant<SessionEvent>({ type: 'Reopened', data: { why: 'person' } }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('d1', 'd2'), session, fc.array(session, { maxLength: 3 }))
      .map(([id, seed, along]) => deleted(id, seed, along)),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('d1', 'd2'), fc.option(title)).map(([id, title]) => restored(id, title)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(session, session)
      .map(([from, to]): SessionEvent => ({ type: 'Rotated', data: { from, to, reason: 'r' } })),
  },
  { weight: 1, arbitrary: session.map((session): SessionEvent => ({ type: 'DelegateSpawned', data: { session } })) },
  {
    weight: 1,
    arbitrary: session.map((session): SessionEvent => ({
      type: 'DelegateReported',
      data: { session, run: 'r', outcome: 'done' },
    })),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map((value): SessionEvent => ({ type: 'SettingChanged', data: { key: 'hidden', value } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('gpt', 'opus', null)
      .map((value): SessionEvent => ({ type: 'SettingChanged', data: { key: 'model', value } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('person' as const, 'idle' as const)
      .map((by): SessionEvent => ({ type: 'Archived', data: { by } })),
  },
  {
    weight: 1,
    arbitrary: turn.map((turn): SessionEvent => ({ type: 'TurnStarted', data: { turn, holder: 'h', leaseMs: 9000 } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(turn, fc.constantFrom('done' as const, 'failed' as const))
      .map(([turn, outcome]): SessionEvent => ({ type: 'TurnEnded', data: { turn, outcome } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('q1', 'q2')
      .map((key): SessionEvent => ({ type: 'UsageRecorded', data: { key, tokens: { input: 3 }, costUsd: 0.5 } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('person' as const, 'model' as const, 'both' as const, 'none' as const)
      .map((shownTo): SessionEvent => ({
        type: 'Noted',
        data: { note: `n-${shownTo}`, kind: 'k', shownTo, text: 'noted' },
      })),
  },
  {
    weight: 1,
    arbitrary: revision.map((revision): SessionEvent => ({
      type: 'Redacted',
      data: { targets: [{ eventId: '0', revision, parts: [], digest: '' }], reason: 'r' },
    })),
  },
  {
    weight: 1,
    arbitrary: fc.constant<SessionEvent>({ type: 'PurgeStarted', data: { purgeId: 'p', eventIds: [], kept: [] } }),
  },
)

/** Events of several sessions in one order. A purge is rare, for little is left to look at after one. */
export const rawHistory: fc.Arbitrary<readonly Said[]> = fc
  .array(fc.record({ session, event }), { maxLength: 60, size: 'max' })
  .map((said) => said.filter(({ event }, index) => event.type !== 'PurgeStarted' || index % 7 === 0))
