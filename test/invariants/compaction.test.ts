import { expect, test } from 'vitest'
import { openEngine, openMemoryStore, type SessionHandle } from '@refold/engine'
import { contextOf, facadeWorld, startIn, sure, transcriptOf } from '../support/facade-world.ts'
import { testSource } from '../support/test-source.ts'
import { crashing, Killed } from '../worlds/crashing-store.ts'
import { allReads, compact, honest, logHead, open, readBy, sentTo, turns } from './conversation.ts'

test('A24: forms that an earlier compaction gave lapse with it, and are not counted as what stays', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(
    await session.append([
      ...turns(1, 1),
      { id: 'U2', role: 'user', text: 'And that of line 2, which is much longer?' },
    ]),
  )
  const first = await contextOf(session)
  const form = { message: 'U2', parts: [{ type: 'text', text: 'So.' }] as const }
  const held = { base: first.revision, watermark: first.revision, held: first.digest }
  sure(await session.compact({ ...held, keep: ['U1', 'U2'], carrier: 'U2', wireForms: [form], summary: 'So.' }))
  const second = await contextOf(session)
  const again = { base: second.revision, watermark: second.revision, held: second.digest, summary: 'Cables.' }
  const outcome = await session.compact(again)
  const after = await contextOf(session)
  expect(outcome.ok ? after.bytes : outcome.code).toBe(outcome.ok ? outcome.bytesAfter : 'not-smaller')
  expect(after.bytes).toBeLessThanOrEqual(second.bytes)
  await engine.close()
})

const withTurns = async (last: number) => {
  const world = await facadeWorld()
  const session = await startIn(world.engine)
  sure(await session.append(turns(1, last)))
  return { ...world, session }
}

test('A18, B1: a compaction and its undoing change only what the model is sent; a person reads a mark more', async () => {
  const { session } = await withTurns(4)
  const before = await readBy(session)
  sure(await compact(session))
  expect(await sentTo(session)).toEqual(['summary', 'U4'])
  expect(await readBy(session)).toEqual(before)
  sure(await session.undoCompaction())
  expect(await sentTo(session)).toEqual(before)
  expect(await readBy(session)).toEqual(before)
})

test('A20: what is appended behind the cut is live, once, after the summary', async () => {
  const { session } = await withTurns(4)
  const begun = await honest(session)
  sure(await session.append(turns(5, 5)))
  sure(await session.compact(begun))
  sure(await session.append(turns(6, 6)))
  expect(await sentTo(session)).toEqual(['summary', 'U5', 'A5', 'U6', 'A6'])
})

test('A22, A23, B7: refused however often, a compaction leaves everything as if nobody had tried', async () => {
  const { engine, session } = await withTurns(4)
  const begun = await honest(session)
  const before = { reads: await allReads(session), head: await logHead(engine) }
  const dishonest = [
    { ...begun, held: 'no such digest' },
    { ...begun, held: ['U1'] },
    { ...begun, summary: 'long '.repeat(500) },
    { ...begun, watermark: begun.watermark + 7 },
  ]
  for (let time = 0; time < 3; time += 1)
    for (const attempt of dishonest) {
      expect(await session.compact(attempt)).toMatchObject({ ok: false })
      expect(await session.rotate({ compaction: attempt, pending: turns(9, 9) })).toMatchObject({ ok: false })
    }
  expect({ reads: await allReads(session), head: await logHead(engine) }).toEqual(before)
})

test('A26: of several that compact one state of a session the first is taken, the late ones are refused', async () => {
  const { session } = await withTurns(4)
  const all = [await honest(session), await honest(session, ['U1']), await honest(session, ['A4'])]
  const outcomes = await Promise.all(all.map((one) => session.compact(one)))
  expect(outcomes.map((one) => (one.ok ? 'ok' : one.code))).toEqual(['ok', 'stale-compaction', 'stale-compaction'])
})

test('A27: appends go on whatever compaction is being thought about', async () => {
  const { session } = await withTurns(4)
  const begun = await honest(session)
  for (let n = 5; n < 9; n += 1) expect(sure(await session.append(turns(n, n)))).toMatchObject({ appended: 2 })
  expect(await session.compact(begun)).toMatchObject({ ok: true })
})

test('A28: a change of what was said makes a compaction stale; never do both count', async () => {
  const changes = {
    edit: (session: SessionHandle) => session.edit('U2', { text: 'Something else.' }),
    rewind: (session: SessionHandle) => session.rewind({ to: 'A2' }),
    prune: (session: SessionHandle) => session.prune('A1', { parts: null, why: 'none' }),
    rotate: (session: SessionHandle) => session.rotate(),
  }
  for (const change of Object.values(changes)) {
    const { session } = await withTurns(4)
    const begun = await honest(session)
    sure(await change(session))
    const after = await sentTo(session)
    expect(await session.compact(begun)).toMatchObject({ ok: false, code: 'stale-compaction' })
    expect(await sentTo(session)).toEqual(after)
  }
})

test('A30: an accident stops no compaction, a deliberate end does before anything is written', async () => {
  const { engine, session } = await withTurns(4)
  const begun = await honest(session)
  sure(await session.end({ reason: 'process gone', class: 'accident' }))
  sure(await session.compact(begun))
  const again = await honest(session)
  sure(await session.end({ reason: 'closed' }))
  const before = await logHead(engine)
  expect(await session.compact(again)).toMatchObject({ ok: false, code: 'session-ended' })
  expect(await logHead(engine)).toBe(before)
})

test('A31, B6: pending messages, compaction and rotation become visible together or not at all', async () => {
  const source = testSource()
  const store = crashing(openMemoryStore(source))
  const engine = await openEngine({ store, source })
  const session = await startIn(engine)
  sure(await session.append(turns(1, 4)))
  const { digest, revision } = await contextOf(session)
  const compaction = { base: revision, watermark: revision, held: digest, summary: 'Cables.' }
  const rotation = { segment: 'next', pending: turns(5, 5), compaction, key: 'once' }
  const before = await allReads(session)
  store.crashNext('before')
  await expect(session.rotate(rotation)).rejects.toThrow(Killed)
  expect(await allReads(session)).toEqual(before)
  store.crashNext('after')
  await expect(session.rotate(rotation)).rejects.toThrow(Killed)
  expect(sure(await session.rotate(rotation))).toMatchObject({ repeated: true, segment: 'next', appended: 2 })
  expect(await sentTo(session)).toEqual(['summary', 'U4', 'U5', 'A5'])
  expect(sure(await session.lineage()).segments).toEqual(['s', 'next'])
})

test('A32: who writes by the id of an old segment reaches the live end, and is told', async () => {
  const { engine, session } = await withTurns(1)
  sure(await session.rotate({ segment: 'second' }))
  sure(await session.rotate({ segment: 'third' }))
  for (const [place, name] of ['s', 'second', 'third'].entries()) {
    const late = await open(engine, name)
    expect(sure(await late.append(turns(place + 2, place + 2)))).toMatchObject({ session: 's', landedIn: 'third' })
  }
  expect(await readBy(session)).toEqual(turns(1, 4).map(({ id }) => id))
})

test('A33: failed tries and the latest cooldown outlast rotation and restart, until a compaction succeeds', async () => {
  const source = testSource()
  const store = openMemoryStore(source)
  const engine = await openEngine({ store, source })
  const session = await startIn(engine)
  sure(await session.append(turns(1, 4)))
  const until = source.now() + 60_000
  sure(await session.compactionFailed('no answer', { cooldownUntil: until }))
  sure(await session.rotate())
  sure(await session.compactionFailed('no answer', { cooldownUntil: until - 1_000 }))
  await engine.close()
  const again = await open(await openEngine({ store, source }), 's')
  expect(await contextOf(again)).toMatchObject({ compactionFailures: 2, cooldownUntil: until })
  sure(await compact(again))
  expect(await contextOf(again)).toMatchObject({ compactionFailures: 0, cooldownUntil: null })
})

test('A34: no compaction and no rotation changes the time of a message', async () => {
  const { session, source } = await withTurns(4)
  const times = async () =>
    (await transcriptOf(session)).entries.filter(({ kind }) => kind === 'message').map(({ at }) => at)
  const before = await times()
  source.advance(60_000)
  sure(await compact(session, ['U3', 'A3']))
  sure(await session.rotate())
  expect(await times()).toEqual(before)
})

test('A44: reactions and whom a message is shown to survive a compaction', async () => {
  const { session } = await withTurns(4)
  sure(await session.append({ id: 'note', role: 'user', text: 'Between us.', shownTo: 'person' }))
  sure(await session.set({ key: 'reaction', message: 'A1', author: 'ada', emoji: '👍', present: true }))
  const before = { settings: await session.settings(), read: await readBy(session) }
  sure(await compact(session))
  sure(await session.rotate())
  expect({ settings: await session.settings(), read: await readBy(session) }).toEqual(before)
  expect(await sentTo(session)).not.toContain('note')
})

test('S3.2: an append says how much of others’ work its author has not read', async () => {
  const { engine, session } = await withTurns(1)
  const other = await open(engine, 's')
  sure(await other.append(turns(2, 2)))
  expect(sure(await session.append(turns(3, 3)))).toMatchObject({ unread: 2 })
  await session.context()
  expect(sure(await session.append(turns(4, 4)))).toMatchObject({ unread: 0 })
})

test('S3.3: a summary over what was edited or rewound since gives way to the one before it, else to the originals', async () => {
  const { session } = await withTurns(4)
  sure(await compact(session, ['U3', 'A3', 'U4', 'A4']))
  sure(await session.append(turns(5, 8)))
  sure(await compact(session))
  expect(await sentTo(session)).toEqual(['summary', 'U8'])
  sure(await session.edit('A5', { text: 'Something else.' }))
  expect(await sentTo(session)).toEqual(['summary', ...turns(3, 8).map(({ id }) => id)])
  sure(await session.edit('A1', { text: 'Something else.' }))
  expect(await sentTo(session)).toEqual(turns(1, 8).map(({ id }) => id))
})
