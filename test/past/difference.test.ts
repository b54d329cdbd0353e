import { beforeEach, expect, test } from 'vitest'
import {
  differenceLines,
  explainDifference,
  type Engine,
  type Point,
  type SessionDifference,
  type SessionHandle,
} from '@refold/engine'
import { facadeWorld, startIn, sure, type FacadeWorld } from '../support/facade-world.ts'

let world: FacadeWorld
let engine: Engine
let s: SessionHandle

beforeEach(async () => {
  world = await facadeWorld()
  ;({ engine } = world)
  s = await startIn(engine)
})

const ask = (id: string, text = id) => ({ id, role: 'user', text }) as const
const answer = (id: string, text = id) => ({ id, role: 'assistant', text }) as const
const diff = async (from: Point, to: Point, limit = 100): Promise<SessionDifference> =>
  sure(await s.diff(from, to, { limit }))

const idsOf = ({ entries }: { readonly entries: readonly { readonly id: string }[] }) => entries.map(({ id }) => id)

test('messages that came, went and changed, whichever way one looks', async () => {
  sure(await s.append([ask('m1'), answer('m2'), ask('m3')]))
  sure(await s.append(answer('m4')))
  sure(await s.edit('m1', { text: 'one' }))
  sure(await s.rewind({ to: 'm2' }))
  sure(await s.append(ask('m5')))
  const there = await diff(3, 7)
  expect(idsOf(there.transcript.gained)).toEqual([expect.any(String), 'm5'])
  expect(there.transcript.gained.entries.map(({ kind }) => kind)).toEqual(['alternative', 'message'])
  expect(idsOf(there.transcript.lost)).toEqual(['m3'])
  expect(there.transcript.messages).toEqual({ before: 3, after: 3 })
  const [edited] = there.transcript.changed.entries
  expect(edited).toMatchObject({
    before: { id: 'm1', parts: [{ type: 'text', text: 'm1' }], editedAt: null },
    after: { id: 'm1', parts: [{ type: 'text', text: 'one' }], editedAt: 1_800_000_000_000 },
  })
  const back = await diff(7, 3)
  expect(idsOf(back.transcript.gained)).toEqual(['m3'])
  expect(idsOf(back.transcript.lost)).toEqual(idsOf(there.transcript.gained))
  expect(back.transcript.changed.entries).toEqual([{ before: edited?.after, after: edited?.before }])
  expect((await diff(7, 7)).transcript).toEqual({
    messages: { before: 3, after: 3 },
    gained: { count: 0, entries: [] },
    lost: { count: 0, entries: [] },
    changed: { count: 0, entries: [] },
  })
})

test('a mark that reads otherwise has changed: a compaction taken back, a delegate that reported, a turn that failed', async () => {
  sure(await s.append([ask('m1', 'one '.repeat(90)), answer('m2', 'two '.repeat(90)), ask('m3')]))
  const { revision, digest } = sure(await s.context())
  const { compaction } = sure(
    await s.compact({ base: revision, watermark: revision, held: digest, summary: 'In short' }),
  )
  const { session: delegate } = sure(await s.spawn({ id: 'd', task: 'Look' }))
  const { turn } = sure(await s.startTurn())
  sure(await s.append(ask('m4'), { turn }))
  const before = sure(await s.transcript()).revision
  sure(await s.undoCompaction(compaction))
  sure(await s.endTurn(turn, { outcome: 'failed' }))
  sure(await s.report({ delegate, outcome: 'failed', message: 'No' }))
  sure(await s.report({ delegate, outcome: 'done', message: 'Yes', run: 'again' }))
  const after = sure(await s.transcript()).revision
  const { changed } = (await diff(before, after)).transcript
  expect(changed.entries).toMatchObject([
    { before: { kind: 'compaction', details: { covers: 2 } }, after: { details: { covers: 2, undone: true } } },
    { before: { kind: 'delegate', details: { status: 'running' } }, after: { details: { status: 'done' } } },
    { before: { id: 'm4', state: 'complete' }, after: { id: 'm4', state: 'failed' } },
  ])
  const between = sure(await s.transcript({ at: after - 2 })).entries.find(({ kind }) => kind === 'delegate')
  expect(between).toMatchObject({ details: { status: 'failed' } })
})

test('a rewind that was taken back takes its mark along', async () => {
  sure(await s.append([ask('m1'), answer('m2')]))
  const { undoId } = sure(await s.rewind({ to: 'm1' }))
  sure(await s.undo(undoId))
  const { gained, lost } = (await diff(3, 4)).transcript
  expect(idsOf(gained)).toEqual(['m2'])
  expect(lost.entries).toMatchObject([{ kind: 'alternative', id: undoId }])
})

test("the model's context: what came in, what went out and why, what is sent in another form", async () => {
  sure(await s.append([ask('m1', 'one '.repeat(90)), answer('m2', 'two '.repeat(90)), ask('m3', 'three '.repeat(30))]))
  sure(await s.append(answer('m4')))
  sure(await s.append(ask('m5')))
  const { revision, digest, bytes } = sure(await s.context())
  const { compaction } = sure(
    await s.compact({ base: revision, watermark: revision, held: digest, keep: ['m3'], summary: 'In short' }),
  )
  sure(await s.prune('m3', { parts: [{ type: 'text', text: '3 …' }], why: 'long' }))
  sure(await s.set({ key: 'system-prompt', value: 'Be brief.' }))
  sure(await s.append(answer('m6')))
  const { context } = await diff(revision, 9)
  const after = sure(await s.context())
  expect(context.before).toEqual({ digest, bytes, messages: 5, summary: null })
  expect(context.after).toEqual({
    digest: after.digest,
    bytes: after.bytes,
    messages: after.messages.length,
    summary: compaction,
  })
  expect(idsOf(context.added)).toEqual(['m6'])
  const by = { session: 's', revision: 6 }
  expect(context.removed.entries.map(({ id, why }) => [id, why])).toEqual(
    ['m1', 'm2', 'm4'].map((id) => [id, { sent: false, because: 'covered', compaction, by }]),
  )
  expect(context.changed.entries).toMatchObject([
    {
      how: 'wire-form',
      before: { id: 'm3', parts: [{ text: 'three '.repeat(30) }] },
      after: { id: 'm3', parts: [{ text: '3 …' }] },
    },
  ])
  expect(context.systemPrompt).toEqual({ before: null, after: 'Be brief.' })
})

test('title, settings, tags and usage', async () => {
  sure(await s.rename('First'))
  sure(await s.set({ key: 'goal', value: 'g'.repeat(20_000) }))
  sure(await s.set({ key: 'host', name: 'x', value: { a: 1 } }))
  sure(await s.tag('old'))
  sure(await s.recordUsage({ key: 'q1', model: 'opus', tokens: { input: 10, output: 1 }, costUsd: 0.1 }))
  const from = 5
  sure(await s.rename('Second'))
  sure(await s.set({ key: 'goal', value: 'Less' }))
  sure(await s.set({ key: 'host', name: 'x', value: { a: 2 } }))
  sure(await s.pin())
  sure(await s.untag('old'))
  sure(await s.tag('new'))
  sure(await s.recordUsage({ key: 'q2', model: 'opus', tokens: { input: 5 }, costUsd: 0.25 }))
  sure(await s.recordUsage({ key: 'q3', model: 'haiku', tokens: { input: 7 }, costUsd: 0.25 }))
  const difference = await diff(from, { time: 2e12 })
  expect(difference.title).toEqual({
    before: { title: 'First', titleBy: 'person' },
    after: { title: 'Second', titleBy: 'person' },
  })
  expect(difference.settings).toEqual([
    { name: 'goal', before: 'g'.repeat(20_000), after: 'Less' },
    { name: 'host:x', before: { a: 1 }, after: { a: 2 } },
    { name: 'pinned', before: null, after: true },
  ])
  expect(difference.tags).toEqual({ added: ['new'], removed: ['old'] })
  expect(difference.usage.before).toMatchObject({ input: 10, output: 1, costUsd: 0.1 })
  expect(difference.usage.after).toMatchObject({ input: 22, output: 1, costUsd: 0.6 })
  expect(difference.from).toEqual({ revision: from, at: 1_800_000_000_000 })
  expect(sure(await s.title({ at: from }))).toEqual({ title: 'First', titleBy: 'person' })
  expect(sure(await s.usage({ at: from })).total).toMatchObject({ input: 10, costUsd: 0.1 })
  expect(sure(await s.settings({ at: 3 })).map(({ key }) => key)).toEqual(['goal', 'host'])
  expect((await diff(from, from)).title).toBeNull()
})

test('a branch begins with what it inherits', async () => {
  sure(await s.append([ask('m1'), answer('m2')]))
  const { handle: b } = sure(await s.branch({ from: 'm2', id: 'b' }))
  sure(await b.edit('m1', { text: 'one' }))
  const { transcript } = sure(await b.diff(-1, 0))
  expect(idsOf(transcript.gained)).toEqual(['m1', 'm2', 's'])
  const { transcript: later } = sure(await b.diff(0, 1))
  expect(later.changed.entries.map(({ after }) => after.id)).toEqual(['m1'])
})

test('lists are cut, and say how many there are', async () => {
  sure(await s.append(Array.from({ length: 9 }, (_, n) => ask(`m${n}`))))
  const { gained } = (await diff(-1, 9, 2)).transcript
  expect([gained.count, ...idsOf(gained)]).toEqual([9, 'm0', 'm1'])
})

test('a revision that is not there is refused, and says which are', async () => {
  for (const point of [1, 1.5, -2, Number.NaN])
    expect(await s.diff(0, point)).toMatchObject({ ok: false, code: 'bad-revision', session: 's', revision: 0 })
  expect(await s.diff(7, 0)).toMatchObject({
    code: 'bad-revision',
    at: 7,
    message: 'Session s has revisions up to 0, and none 7. Name one of those, or a time.',
  })
})

test('a failing test prints it as plain lines', async () => {
  sure(await s.append([ask('m1'), answer('m2')]))
  sure(await s.edit('m1', { text: 'one' }))
  sure(await s.rename('Title'))
  const { undoId } = sure(await s.rewind({ to: 'm1' }))
  const lines = await explainDifference(s, 2, 5)
  expect(lines).toEqual([
    'Session s from revision 2 (2027-01-15T08:00:00.000Z) to revision 5 (2027-01-15T08:00:00.000Z)',
    'Transcript: 2 to 1 messages',
    `  + alternative ${undoId}  {"undoId":"${undoId}","messages":1,"r…`,
    '  - assistant m2  “m2”',
    '  ~ user m1  “one”  was “m1”',
    'Context: 2 to 1 messages, 111 to 54 bytes',
    `  - assistant m2  “m2”  taken out by rewind ${undoId} (revision 5 of s)`,
    '  ~ user m1  “one”  text, was “m1”',
    '  ~ title: null became "Title"',
  ])
  expect(differenceLines(await diff(-1, 0))[0]).toBe(
    'Session s from before its start to revision 0 (2027-01-15T08:00:00.000Z)',
  )
})
