import { fc, test as prop } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { openEngine, openMemoryStore, type Engine, type SessionList } from '@refold/engine'
import { facadeWorld, startIn, sure } from '../support/facade-world.ts'
import { testSource } from '../support/test-source.ts'

type Step = (engine: Engine, n: number) => Promise<unknown>

const ids = ['s0', 's1', 's2'] as const
const on =
  (id: string, work: (handle: Awaited<ReturnType<typeof startIn>>, n: number) => Promise<unknown>): Step =>
  async (engine, n) => {
    const found = await engine.session(id)
    if (found.ok) await work(found.handle, n)
  }

const step: fc.Arbitrary<Step> = fc.constantFrom(...ids).chain((id) =>
  fc.constantFrom<Step>(
    (engine) => engine.start({ id, title: 'Title' }),
    (engine, n) => engine.start({ id: `d${n}`, delegateOf: id }),
    on(id, (handle, n) => handle.append({ id: `m${n}`, role: 'user', text: `text ${n}` })),
    on(id, (handle) => handle.rewind({ to: 'start' })),
    on(id, (handle) => handle.undo()),
    on(id, (handle, n) => handle.rename(`Name ${n % 3}`)),
    on(id, (handle, n) => handle.branch({ from: 'start', id: `b${n}` })),
    on(id, (handle) => handle.archive()),
    on(id, (handle) => handle.tag('red')),
    on(id, (handle) => handle.end({ reason: 'done', class: 'accident' })),
    on(id, (handle) => handle.startTurn({ leaseMs: 2_500 })),
    on(id, (handle, n) => handle.recordUsage({ key: `${n}`, tokens: { input: n } })),
    (engine) => engine.delete([id]),
    (engine) => engine.restore(id),
  ),
)

const seed = 20_412
prop.prop([fc.array(step, { maxLength: 40, size: 'max' })], { seed, numRuns: 25 })(
  `the list of a replay is the one that was shown there and then (seed ${seed})`,
  async (steps) => {
    const source = testSource()
    const store = openMemoryStore(source)
    const engine = await openEngine({ store, source })
    const shown = new Map<number, { readonly at: number; readonly list: SessionList }>()
    for (const [n, act] of steps.entries()) {
      source.advance(1_000)
      await act(engine, n)
      const { position } = await store.logHead()
      if (!shown.has(position)) shown.set(position, { at: source.now(), list: sure(await engine.list({ all: true })) })
    }
    source.advance(60_000)
    for (const [position, { at, list }] of shown) {
      const { replay, ...replayed } = sure(await engine.replay({ until: position, list: { all: true } }))
      expect(replayed).toEqual(position === 0 ? { sessions: [], total: 0, cursor: null } : list)
      expect(replay.position).toBe(position)
      const { replay: byTime, ...then } = sure(await engine.replay({ until: { time: at }, list: { all: true } }))
      expect(then).toEqual(replayed)
      expect(byTime.position).toBe(position)
    }
    await engine.close()
  },
)

test('without an end it is the list of now, filters and pages included', async () => {
  const { engine } = await facadeWorld()
  for (const id of ['s1', 's2', 's3']) await startIn(engine, id)
  const { replay, ...page } = sure(await engine.replay({ list: { sort: 'title', limit: 2 } }))
  expect(page).toEqual(sure(await engine.list({ sort: 'title', limit: 2 })))
  expect(replay).toEqual({ events: 6, position: (await engine.store.logHead()).position, at: 1_800_000_000_000 })
  const { cursor } = page
  const rest = sure(await engine.replay({ list: { sort: 'title', ...(cursor === null ? {} : { cursor }) } }))
  expect(rest.sessions.map(({ id }) => id)).toEqual(['s3'])
  expect(await engine.replay({ list: { cursor: 'x' } })).toMatchObject({ ok: false, code: 'bad-cursor' })
})

test('a position behind the end of the log is refused', async () => {
  const { engine } = await facadeWorld()
  await startIn(engine)
  const { position } = await engine.store.logHead()
  expect(await engine.replay({ until: position + 1 })).toMatchObject({
    ok: false,
    code: 'bad-position',
    until: position + 1,
    position,
  })
  expect(sure(await engine.replay({ until: 0 }))).toMatchObject({
    sessions: [],
    replay: { events: 0, position: 0, at: null },
  })
})

test('it tells how far it is, and stops when it is told to', async () => {
  const { engine } = await facadeWorld()
  const s = await startIn(engine)
  for (let n = 0; n < 3; n++)
    sure(await s.append(Array.from({ length: 500 }, (_, m) => ({ id: `${n}-${m}`, role: 'user', text: 'x' }) as const)))
  const { position: head } = await engine.store.logHead()
  const seen: number[] = []
  const { replay } = sure(
    await engine.replay({
      onProgress: ({ events, head: end }) => {
        expect(end).toBe(head)
        seen.push(events)
      },
    }),
  )
  expect(seen).toEqual([1_000, 1_502])
  expect(replay.events).toBe(1_502)
  const controller = new AbortController()
  const stopped = engine.replay({ signal: controller.signal, onProgress: () => controller.abort(new Error('enough')) })
  await expect(stopped).rejects.toThrow('enough')
})
