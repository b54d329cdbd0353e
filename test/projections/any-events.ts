import * as fc from 'fast-check'
import { eventSchemas, sessionStream, type AnyRecorded, type EventType, type SessionEvent } from '@refold/events'

/*
 * Any sequence of well-formed events, also such as the engine would never write: of all types, about few sessions and
 * messages, so that they meet each other. Half of the texts are ones that ports may bend.
 */

const session = fc.constantFrom('s1', 's2', 's3', 's4', 's-é')
const message = fc.constantFrom('m1', 'm2', 'm3', 'm4', 'm5', 'm6')
const small = fc.nat(12)
const words = fc.constantFrom(
  'hello',
  'a title',
  'A Title',
  'a title #2',
  'é',
  'e\u0301',
  '\ud800',
  '\u{10000}',
  '\ue000',
  'a\u0000b',
  '\ud7ff',
)
const text = fc.oneof(
  words,
  words.map((head) => ({ blob: 'b'.repeat(64), bytes: 20_000, head })),
)
const time = fc.constantFrom(0, -1, 1.5, 1_700_000_000_000, 1_700_000_000_001, 1e15, -1e300)
const parts = fc.array(
  fc.oneof(
    text.map((text) => ({ type: 'text', text }) as const),
    fc
      .constantFrom('t1', 't2')
      .map((id) => ({ type: 'tool-call', id, name: 'read', arguments: { file: 'x' } }) as const),
    fc.constantFrom('t1', 't2').map((id) => ({ type: 'tool-result', toolCallId: id, text: 'out' }) as const),
  ),
  { maxLength: 2 },
)
const turn = fc.constantFrom('turn1', 'turn2')
const undo = fc.constantFrom('u1', 'u2', 'u3', 'u4')
const compaction = fc.constantFrom('c1', 'c2', 'c3')
const segment = fc.constantFrom('s1', 's1-b', 's2-b', 's3')
const json = fc.constantFrom(null, 1, '1', true, { deep: [1, '\ud800', null] })
const messageRef = fc.record({ message, session, revision: small })
const cut = fc.record({ asOf: small, through: fc.option(messageRef) })

interface Fields {
  readonly [name: string]: fc.Arbitrary<unknown>
}

/** A record with fields that are there and fields that may be absent. */
function some(needed: Fields, optional: Fields): fc.Arbitrary<object> {
  const fields: Fields = { ...needed, ...optional }
  return fc.record(fields, { requiredKeys: Object.keys(needed) })
}

const idOf = (n: number): string => n.toString(16).padStart(32, '0')
const eventId = fc.nat(30).map(idOf)

const setting = fc.oneof(
  fc.record({ key: fc.constant('model'), value: fc.option(words) }),
  fc.record({ key: fc.constantFrom('system-prompt', 'goal'), value: fc.option(text) }),
  fc.record({ key: fc.constant('workspace'), value: fc.option(words) }),
  fc.record({ key: fc.constant('route'), route: words, bound: fc.boolean(), generation: small }),
  fc.record({ key: fc.constantFrom('pinned', 'hidden'), value: fc.boolean() }),
  fc.record({ key: fc.constant('tag'), tag: words, present: fc.boolean() }),
  fc.record({ key: fc.constant('read-mark'), value: fc.option(small) }),
  fc.record({ key: fc.constant('reaction'), message, author: words, emoji: words, present: fc.boolean() }),
  fc.record({ key: fc.constant('host'), name: words, value: json }),
)

const origin = fc.oneof(
  fc.constant({ kind: 'root' }),
  fc.record({ kind: fc.constantFrom('branch', 'stray'), session, cut }),
  fc.record({ kind: fc.constant('delegate'), session: fc.option(session) }),
  fc.record({ kind: fc.constantFrom('reset', 'untyped'), session }),
)

const started = some(
  { session, origin },
  {
    surface: words,
    workspace: words,
    model: words,
    at: time,
    importedFrom: fc.record({ tool: words, session: words }),
  },
)

const appended = some(
  {
    id: message,
    role: fc.constantFrom('user', 'assistant', 'tool', 'system', 'foreign'),
    parts,
    provenance: fc.constantFrom('person', 'engine', 'model', 'tool'),
    shownTo: fc.constantFrom('both', 'person', 'model'),
  },
  {
    partial: small,
    turn,
    platformId: words,
    at: time,
    author: words,
    observed: fc.boolean(),
    failed: fc.boolean(),
  },
)

const usageRecorded = some(
  { key: words, tokens: some({}, { input: time, output: small, cacheRead: time }) },
  { model: words, provider: words, task: words, calls: small, costUsd: time, at: time },
)

/** One arbitrary for the data of each type: a new type without one is no program. */
const data: { readonly [T in EventType]: fc.Arbitrary<unknown> } = {
  SessionStarted: started,
  Ended: some({ reason: words, class: fc.constantFrom('deliberate', 'accident', 'reset') }, { at: time }),
  Reopened: fc.record({ why: fc.constantFrom('append', 'person') }),
  Archived: fc.record({ by: fc.constantFrom('person', 'idle') }),
  Unarchived: fc.record({ by: fc.constantFrom('person', 'activity') }),
  Deleted: fc.record({ deletionId: undo, seed: session, along: fc.array(session, { maxLength: 3 }) }),
  Restored: fc.record({ deletionId: undo, title: fc.option(words) }),
  Redacted: fc.record({
    targets: fc.array(fc.record({ eventId: eventId, revision: small, parts: fc.constant(['text']), digest: words }), {
      maxLength: 2,
    }),
    reason: words,
  }),
  PurgeStarted: fc.record({
    purgeId: undo,
    eventIds: fc.array(eventId, { maxLength: 3 }),
    kept: fc.constant([]),
  }),
  Purged: fc.record({ purgeId: undo, receipt: json }),
  MessageAppended: appended,
  MessageEdited: some({ message, parts }, { at: time }),
  Rewound: some(
    { undoId: undo, lastThatStays: fc.option(message), reason: fc.constantFrom('rewind', 'edit', 'import') },
    { only: fc.array(message, { maxLength: 3 }) },
  ),
  RewindUndone: fc.record({ undoId: undo, newUndoId: undo }),
  Compacted: some(
    {
      compactionId: compaction,
      base: small,
      watermark: small,
      held: words,
      kept: fc.array(message, { maxLength: 3 }),
      summary: text,
      summaryRole: fc.constantFrom('user', 'assistant', 'system'),
      wireForms: fc.array(fc.record({ message, parts }), { maxLength: 2 }),
      covers: small,
      sizes: fc.record({ bytesBefore: small, bytesAfter: small }),
    },
    { carrier: message, model: words },
  ),
  CompactionUndone: fc.record({ compactionId: compaction }),
  CompactionFailed: some({ reason: words }, { cooldownUntil: time }),
  WireFormSet: fc.record({ message, parts: fc.option(parts), why: words }),
  Rotated: some({ from: segment, to: segment, reason: words }, { at: time }),
  Renamed: fc.record({ title: fc.option(words), by: fc.constantFrom('person', 'model', 'branch', 'derived') }),
  DelegateSpawned: some({ session }, { toolCallId: words, task: text }),
  DelegateReported: some(
    { session, run: words, outcome: fc.constantFrom('done', 'failed', 'cancelled') },
    { message: text, injectedAs: message },
  ),
  SettingChanged: setting,
  TurnStarted: fc.record({
    turn,
    holder: words,
    leaseMs: fc.constantFrom(1, 60_000),
  }),
  TurnRenewed: fc.record({ turn, leaseMs: fc.constantFrom(1, 60_000) }),
  TurnEnded: fc.record({
    turn,
    outcome: fc.constantFrom('done', 'failed', 'cancelled'),
  }),
  UsageRecorded: usageRecorded,
  Noted: some(
    { note: words, kind: words, shownTo: fc.constantFrom('person', 'model', 'both', 'none') },
    { text, data: json, at: time },
  ),
  Claimed: fc.record({
    kind: fc.constantFrom('id', 'title', 'route'),
    namespace: fc.constantFrom('default', 'n.2'),
    holder: session,
  }),
  Released: fc.record({ holder: session, why: words }),
  ClaimDropped: fc.record({ claim: words, claimRevision: small }),
}

/** What occurs often in a log occurs often here. */
const weights: { readonly [T in EventType]?: number } = {
  SessionStarted: 6,
  MessageAppended: 14,
  MessageEdited: 3,
  Rewound: 5,
  RewindUndone: 4,
  Compacted: 4,
  Deleted: 3,
  Restored: 3,
  Renamed: 4,
  SettingChanged: 4,
  UsageRecorded: 4,
}

interface Said {
  readonly stream: string
  readonly type: string
  readonly data: unknown
  readonly kind: 'known' | 'erased' | 'unknown'
  readonly recordedAt: number
}

const said: fc.Arbitrary<Said> = fc
  .oneof(
    ...Object.entries(data).map(([type, arbitrary]) => ({
      weight: new Map<string, number | undefined>(Object.entries(weights)).get(type) ?? 1,
      arbitrary: arbitrary.map((data) => ({ type, data })),
    })),
  )
  .chain((event) =>
    fc.record({
      stream: fc.oneof(
        { weight: 12, arbitrary: session.map((session) => sessionStream({ namespace: 'default', session })) },
        { weight: 2, arbitrary: session.map((session) => sessionStream({ namespace: 'n.2', session })) },
        { weight: 1, arbitrary: fc.constantFrom('claim-title-abc', 'foreign', 'session-nonsense%') },
      ),
      type: fc.constant(event.type),
      data: fc.constant(event.data),
      kind: fc.oneof(
        { weight: 30, arbitrary: fc.constant('known' as const) },
        { weight: 1, arbitrary: fc.constantFrom('erased' as const, 'unknown' as const) },
      ),
      recordedAt: fc.oneof(fc.constant(1_700_000_000_000), time),
    }),
  )

/** Gives each event its place: revisions without gaps, positions with. */
function record(events: readonly Said[]): readonly AnyRecorded[] {
  const heads = new Map<string, number>()
  return events.map(({ stream, type, data, kind, recordedAt }, at) => {
    const revision = (heads.get(stream) ?? -1) + 1
    heads.set(stream, revision)
    const envelope = {
      id: idOf(at),
      stream,
      revision,
      position: at * 3 + 1,
      recordedAt,
      actor: { kind: 'person', id: 'p' } as const,
      version: 1,
      hash: idOf(at).repeat(2),
    }
    if (kind === 'erased') return { ...envelope, type, data: null, erased: true }
    if (kind === 'unknown') return { ...envelope, type: `${type}Later`, data: null, unknown: true }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the arbitraries are held to the schemas by a test
    return { ...envelope, type, data } as unknown as AnyRecorded
  })
}

export function anyEvents(maxLength = 80): fc.Arbitrary<readonly AnyRecorded[]> {
  return fc.array(said, { maxLength, size: 'max' }).map(record)
}

/** Data that its own schema would refuse: none, or the arbitraries are wrong. */
export function malformed(events: readonly AnyRecorded[]): readonly AnyRecorded[] {
  return events.filter((event) => {
    if ('erased' in event || 'unknown' in event) return false
    const type: SessionEvent['type'] = event.type
    return !eventSchemas[type].safeParse(event.data).success
  })
}
