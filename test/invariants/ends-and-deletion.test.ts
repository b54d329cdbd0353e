import { expect, test } from 'vitest'
import { facadeWorld, startIn, sure } from '../support/facade-world.ts'
import { allReads, logHead, open, readBy, turns } from './conversation.ts'

test('A61: each reset raises a route’s generation by one, it never falls, and late work of an older one is dropped', async () => {
  const { engine } = await facadeWorld()
  const first = await startIn(engine, 'first')
  expect(sure(await first.bindRoute({ route: 'chat' })).generation).toBe(1)
  sure(await engine.start({ id: 'second', resetOf: 'first' }))
  expect(await engine.route('chat')).toMatchObject({ session: 'second', generation: 2 })
  sure(await engine.delete(['second']))
  sure(await engine.restore('second'))
  expect(await engine.route('chat')).toMatchObject({ session: 'second', generation: 3 })
  const second = await open(engine, 'second')
  const late = { route: { route: 'chat', generation: 2 } }
  expect(await second.append(turns(1, 1), late)).toMatchObject({ ok: false, code: 'route-generation', current: 3 })
  expect(await readBy(second)).toEqual([])
})

test('A62, B17: a deletion takes exactly the seed and its delegates; a branch keeps all that it showed', async () => {
  const { engine } = await facadeWorld()
  const root = await startIn(engine, 'root')
  sure(await root.append(turns(1, 3)))
  sure(await root.branch({ from: 'A2', id: 'branch' }))
  sure(await root.spawn({ id: 'delegate' }))
  sure(await (await open(engine, 'delegate')).spawn({ id: 'under' }))
  await startIn(engine, 'root-like')
  const branch = await open(engine, 'branch')
  const before = await readBy(branch)
  expect(sure(await engine.deletionPlan(['root'])).deletes).toEqual(['root', 'delegate', 'under'])
  expect(await engine.delete(['roo'])).toMatchObject({ ok: false, code: 'session-not-found' })
  expect(sure(await engine.delete([])).deletes).toEqual([])
  expect(sure(await engine.delete(['root'])).deletes).toEqual(['root', 'delegate', 'under'])
  expect(await readBy(branch)).toEqual(before)
  expect(
    sure(await engine.list({ all: true }))
      .sessions.map(({ id }) => id)
      .sort(),
  ).toEqual(['branch', 'root-like'])
})

test('A65, B10: nothing at work is deleted, and a guard that refuses leaves all as it was', async () => {
  const { engine, source } = await facadeWorld()
  const root = await startIn(engine, 'root')
  sure(await root.spawn({ id: 'delegate' }))
  const delegate = await open(engine, 'delegate')
  sure(await delegate.startTurn({ turn: 't', leaseMs: 1_000 }))
  const before = await logHead(engine)
  expect(await engine.delete(['root'])).toMatchObject({ ok: false, code: 'has-live-turn', session: 'delegate' })
  expect(await logHead(engine)).toBe(before)
  source.advance(1_000)
  expect(sure(await engine.delete(['root'])).deletes).toEqual(['root', 'delegate'])
})

test('A68: an accident leaves a session found, listed, readable and ready to go on', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(await session.append(turns(1, 2)))
  const { transcript } = Object(await allReads(session))
  sure(await session.end({ reason: 'process gone', class: 'accident' }))
  expect(sure(await engine.list()).sessions).toMatchObject([{ id: 's', status: 'interrupted' }])
  const again = await open(engine, 's')
  expect((await readBy(again)).length).toBe(Object(transcript).entries.length)
  expect(sure(await again.append(turns(3, 3))).events).toEqual(['Reopened', 'MessageAppended', 'MessageAppended'])
})

test('A60: the first end on purpose stands; over an accident any other does', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(await session.end({ reason: 'gone', class: 'accident' }))
  expect(sure(await session.end({ reason: 'reset', class: 'reset' }))).toMatchObject({
    class: 'reset',
    reason: 'reset',
  })
  for (const end of ['deliberate', 'accident', 'reset'] as const)
    expect(sure(await session.end({ reason: 'later', class: end }))).toMatchObject({ reason: 'reset', events: [] })
})

test('S7.5: a restore brings back what that very deletion took, and what was deleted by itself stays away', async () => {
  const { engine } = await facadeWorld()
  const root = await startIn(engine, 'root')
  for (const id of ['one', 'two']) sure(await root.spawn({ id }))
  sure(await engine.delete(['one']))
  sure(await engine.delete(['root']))
  expect(sure(await engine.restore('root')).restored).toEqual(['root', 'two'])
  expect(await (await open(engine, 'one')).transcript()).toMatchObject({ code: 'session-deleted' })
  expect(sure(await engine.restore('one')).restored).toEqual(['one'])
})

test('S1.6: a deletion of several sessions, repeated under its key, lists what it took in the same order', async () => {
  const { engine } = await facadeWorld()
  const [one] = [await startIn(engine, 'one'), await startIn(engine, 'two')]
  sure(await one.spawn({ id: 'under-one' }))
  sure(await (await open(engine, 'under-one')).spawn({ id: 'deeper' }))
  sure(await (await open(engine, 'two')).spawn({ id: 'under-two' }))
  const first = sure(await engine.delete(['one', 'two'], { key: 'k' }))
  expect(first.deletes).toEqual(['one', 'two', 'under-one', 'deeper', 'under-two'])
  expect(sure(await engine.delete(['one', 'two'], { key: 'k' }))).toMatchObject({
    deletes: first.deletes,
    repeated: true,
  })
})
