import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import type { Engine, SessionRow } from '@refold/engine'
import { facadeWorld, startIn, sure } from '../support/facade-world.ts'
import { compact, open, readBy, sentTo, turns } from './conversation.ts'

const seed = 57_057

async function rowOf(engine: Engine, id: string): Promise<SessionRow | undefined> {
  return sure(await engine.list({ all: true })).sessions.find((row) => row.id === id)
}

property.prop([fc.string({ unit: 'binary', maxLength: 130 })], { seed, numRuns: 150 })(
  `A57: a title is kept with 1 to 100 visible characters or not at all, and cleaning it again changes nothing (seed ${seed})`,
  async (wanted) => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    const outcome = await session.rename(wanted)
    const title = (await rowOf(engine, 's'))?.title ?? null
    if (title !== null) {
      expect(Array.from(title).length).toBeLessThanOrEqual(100)
      expect(title).toBe(title.trim())
      expect(title.isWellFormed()).toBe(true)
      expect(sure(await session.rename(title))).toMatchObject({ title, events: [] })
    } else expect(outcome.ok ? outcome.title : outcome.code).toBeOneOf([null, 'title-too-long', 'title-empty'])
    await engine.close()
  },
)

test('A41: what was rewound is in no transcript, context, preview or count, and comes back with the undo', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(await session.append(turns(1, 2)))
  const before = { read: await readBy(session), row: await rowOf(engine, 's') }
  sure(await session.rewind({ to: 'start' }))
  expect([await readBy(session), await sentTo(session)]).toEqual([[], []])
  expect(await rowOf(engine, 's')).toMatchObject({ preview: null, messages: 0 })
  sure(await session.undo())
  expect({ read: await readBy(session), row: await rowOf(engine, 's') }).toEqual(before)
})

test('A43: an answer of thoughts alone stays in the transcript', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(await session.append([...turns(1, 1), { id: 'thought', role: 'assistant', reasoning: 'Hm.' }]))
  sure(await session.rotate())
  expect(await readBy(session)).toEqual(['U1', 'A1', 'thought'])
})

test('A54, A55: a title has one holder, who keeps it through compactions and rotations and can always take it again', async () => {
  const { engine } = await facadeWorld()
  const [session, other] = [await startIn(engine, 'a'), await startIn(engine, 'b')]
  sure(await session.append(turns(1, 4)))
  sure(await session.rename('Plan'))
  sure(await compact(session))
  sure(await session.rotate({ segment: 'a-2' }))
  expect(await other.rename('Plan')).toMatchObject({ ok: false, code: 'title-taken', holder: 'a' })
  expect(sure(await (await open(engine, 'a-2')).rename('Plan'))).toMatchObject({ title: 'Plan', events: [] })
  expect(await rowOf(engine, 'a')).toMatchObject({ title: 'Plan', titleBy: 'person', tip: 'a-2' })
  sure(await session.rename(null))
  expect(sure(await other.rename('Plan')).title).toBe('Plan')
})

test('A56, B24: no machine replaces what a person chose, and housekeeping does not speak for one', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(await session.rename('Mine'))
  for (const by of ['model', 'derived'] as const)
    expect(await session.rename('Other', { by })).toMatchObject({ ok: false, code: 'title-set-by-person' })
  const actor = { kind: 'housekeeping', id: 'sweeper' } as const
  expect(await session.rename('Other', { actor })).toMatchObject({ ok: false, code: 'not-allowed' })
  expect(await session.archive({ actor })).toMatchObject({ ok: false, code: 'not-allowed' })
  sure(await session.archive())
  expect(await session.unarchive({ actor })).toMatchObject({ ok: false, code: 'not-allowed' })
  const [named] = (await session.events()).filter(({ type }) => type === 'Renamed')
  expect(named?.actor).toEqual({ kind: 'agent', id: 'refold' })
})

test('A58, A75, B3: flags, goal, model, workspace and route belong to the session and outlast compaction and rotation', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(await session.append(turns(1, 4)))
  sure(await session.pin())
  sure(await session.tag('red'))
  sure(await session.set({ key: 'goal', value: 'Mend it.' }))
  sure(await session.set({ key: 'model', value: 'opus' }))
  sure(await session.set({ key: 'workspace', value: '/plant' }))
  sure(await session.set({ key: 'read-mark', value: 3 }))
  sure(await session.bindRoute({ route: 'chat 7' }))
  sure(await session.archive())
  const facts = async () => {
    const { tip: _tip, segments: _segments, ...row } = (await rowOf(engine, 's')) ?? { tip: '', segments: [] }
    return { row, settings: await session.settings(), route: (await engine.route('chat 7')).session }
  }
  const before = await facts()
  sure(await compact(session))
  sure(await session.rotate())
  expect(await facts()).toEqual(before)
})

test('A53: a filter looks at the whole session, whatever segment it is in by now', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine, 'first-segment')
  await startIn(engine, 'other')
  sure(await session.append(turns(1, 4)))
  sure(await session.set({ key: 'workspace', value: '/old' }))
  sure(await session.tag('red'))
  sure(await compact(session))
  sure(await session.rotate({ segment: 'second-segment' }))
  sure(await session.set({ key: 'workspace', value: '/new' }))
  sure(await session.rename('Sensor plan'))
  const found = async (query: object) => {
    const { sessions, total } = sure(await engine.list({ ...query, all: true }))
    return { ids: sessions.map(({ id }) => id), total }
  }
  const one = { ids: ['first-segment'], total: 1 }
  for (const search of ['first-seg', 'second-seg', 'sensor PLAN', 'Question 1'])
    expect({ search, ...(await found({ search })) }).toEqual({ search, ...one })
  for (const query of [{ workspace: '/new' }, { tag: 'red' }]) expect(await found(query)).toEqual(one)
  for (const query of [{ workspace: '/old' }, { search: 'Cables' }])
    expect(await found(query)).toEqual({ ids: [], total: 0 })
  await engine.close()
})

test('A59: what is said brings back a session that only idled into the archive, and none that a person put there', async () => {
  const { engine } = await facadeWorld()
  for (const [id, by, listed] of [
    ['idle', 'idle', true],
    ['put-away', 'person', false],
  ] as const) {
    const session = await startIn(engine, id)
    sure(await session.append(turns(1, 1)))
    sure(await session.archive({ by }))
    expect((await rowOf(engine, id))?.archived).toBe(true)
    sure(await session.pin())
    expect((await rowOf(engine, id))?.archived).toBe(true)
    sure(await session.append(turns(2, 2)))
    expect((await rowOf(engine, id))?.archived).toBe(!listed)
    expect(sure(await engine.list()).sessions.some((row) => row.id === id)).toBe(listed)
  }
  await engine.close()
})
