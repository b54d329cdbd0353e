import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openEngine, systemSource, type Engine } from '@refold/engine'
import { facadeWorld, linesOf, startIn, sure } from '../../support/facade-world.ts'

describe('names', () => {
  test('a session answers to its id, any segment’s id, its title and a unique prefix', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine, 'session-one')
    await session.rename('Fingerprint scanner')
    await session.rotate({ segment: 'segment-two' })
    for (const name of ['session-one', 'segment-two', 'Fingerprint scanner', 'ses', 'Finger'])
      expect(await engine.session(name)).toMatchObject({ ok: true, session: 'session-one' })
    expect(await engine.session('se')).toMatchObject({ code: 'session-not-found', name: 'se' })
  })

  test('what fits several is refused with the candidates', async () => {
    const { engine } = await facadeWorld()
    await startIn(engine, 'alpha-1')
    await startIn(engine, 'alpha-2')
    expect(await engine.session('alpha')).toMatchObject({
      code: 'ambiguous-session',
      candidates: [{ session: 'alpha-1' }, { session: 'alpha-2' }],
    })
  })

  test('seams 4.5: a claimed id that no segment has leads nowhere', async () => {
    const { engine } = await facadeWorld()
    await startIn(engine)
    expect(await engine.session('s-never')).toMatchObject({ code: 'session-not-found' })
  })

  test('a deleted session is found by its id only, shows nothing, and can be restored', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine, 'session-one')
    await session.rename('Plan')
    await engine.delete(['session-one'])
    expect(await engine.session('Plan')).toMatchObject({ code: 'session-not-found' })
    expect(await engine.session('session-one')).toMatchObject({ ok: true })
    for (const read of [session.transcript(), session.context(), session.lineage(), session.usage()])
      expect(await read).toMatchObject({ code: 'session-deleted' })
    expect(sure(await engine.list({ all: true }))).toMatchObject({ sessions: [], total: 0 })
    await engine.restore('session-one')
    expect(await engine.session('Plan')).toMatchObject({ ok: true, session: 'session-one' })
  })

  test('an outside address leads to its session through rotations, a take-over and a reset, and to nothing once released', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    expect(await engine.route('chat 7')).toEqual({ session: null, generation: 0 })
    await session.bindRoute({ route: 'chat 7' })
    await session.rotate({ segment: 's2' })
    expect(await engine.route('chat 7')).toEqual({ session: 's', generation: 1 })
    const other = await startIn(engine, 'other')
    await other.bindRoute({ route: 'chat 7', takeOver: 1 })
    expect(await engine.route('chat 7')).toEqual({ session: 'other', generation: 2 })
    const reset = sure(await engine.start({ id: 'anew', resetOf: 'other' })).handle
    expect(await engine.route('chat 7')).toEqual({ session: 'anew', generation: 3 })
    await reset.releaseRoute('chat 7')
    expect(await engine.route('chat 7')).toEqual({ session: null, generation: 3 })
  })

  test('namespaces see nothing of each other', async () => {
    const { engine, source } = await facadeWorld()
    await startIn(engine)
    const other = await openEngine({ store: engine.store, namespace: 'other', source })
    expect(await other.session('s')).toMatchObject({ code: 'session-not-found' })
    expect(sure(await other.list({ all: true }))).toMatchObject({ total: 0 })
    expect(await other.start({ id: 's' })).toMatchObject({ ok: true })
  })

  test('an id that can be none is an error, not a session', async () => {
    const { engine } = await facadeWorld()
    await expect(engine.start({ id: 'x'.repeat(201) })).rejects.toMatchObject({ code: 'bad-id' })
    await expect(engine.start({ id: '' })).rejects.toMatchObject({ code: 'bad-id' })
    await expect(openEngine({ store: engine.store, namespace: '\ud800' })).rejects.toMatchObject({ code: 'bad-id' })
    expect(await engine.session('\ud800')).toMatchObject({ code: 'session-not-found' })
  })
})

describe('deleting', () => {
  test('shows first what it would take and leave, then does just that', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    await session.append({ id: 'm1', role: 'user', text: 'a' })
    await session.spawn({ id: 'worker' })
    await session.branch({ id: 'twig', from: 'm1' })
    const plan = sure(await engine.deletionPlan(['s']))
    expect(plan).toEqual({
      ok: true,
      seeds: ['s'],
      deletes: ['s', 'worker'],
      keeps: [{ session: 'twig', because: 'branch of s' }],
    })
    expect(await engine.delete(['s'])).toMatchObject({ deletes: plan.deletes, keeps: plan.keeps, seeds: plan.seeds })
    const twig = await engine.session('twig')
    if (!twig.ok) throw new Error(twig.message)
    expect(await linesOf(twig.handle)).toEqual(['m1: a'])
    expect(sure(await engine.list()).sessions.map(({ id, origin }) => [id, origin])).toEqual([
      ['twig', { kind: 'root', was: 'branch' }],
    ])
  })

  test('takes literal ids only', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine, 'session-one')
    await session.rename('Plan')
    for (const name of ['Plan', 'session', '%', '*'])
      expect(await engine.delete([name])).toMatchObject({ code: 'session-not-found', name })
    expect(await engine.delete([])).toMatchObject({ ok: true, deletes: [], deletionId: null })
  })

  test('a late writer is refused, whatever it does', async () => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    await session.append({ id: 'm1', role: 'user', text: 'a' })
    await engine.delete(['s'])
    const before = await engine.store.readAll({ limit: 100 })
    const late = [
      session.append({ role: 'user', text: 'late' }),
      session.edit('m1', { text: 'b' }),
      session.rewind({ to: 'start' }),
      session.undo(),
      session.prune('m1', { parts: null, why: '' }),
      session.rotate(),
      session.rename('late'),
      session.archive(),
      session.pin(),
      session.note({ kind: 'k' }),
      session.recordUsage({ key: 'k', tokens: {} }),
      session.end({ reason: 'late' }),
      session.reopen(),
      session.branch({ from: 'm1' }),
      session.spawn(),
      session.startTurn(),
      session.bindRoute({ route: 'r' }),
      session.undoCompaction(),
      session.compactionFailed('late'),
      session.compact({ base: 1, watermark: 1, held: ['m1'], summary: '' }),
    ]
    for (const outcome of await Promise.all(late)) expect(outcome).toMatchObject({ code: 'session-deleted' })
    expect(await engine.store.readAll({ limit: 100 })).toEqual(before)
  })
})

describe('a private session', () => {
  test('lives in memory only: the log stays as it was', async () => {
    const { engine } = await facadeWorld()
    await startIn(engine)
    const before = await engine.store.readAll({ limit: 100 })
    const { handle } = sure(await engine.privateSession({ id: 'secret', title: 'Diary' }))
    await handle.append([
      { id: 'm1', role: 'user', text: 'a' },
      { id: 'm2', role: 'assistant', text: 'b' },
    ])
    await handle.rewind({ to: 'm1' })
    expect(await linesOf(handle)).toEqual(['m1: a'])
    expect(await engine.store.readAll({ limit: 100 })).toEqual(before)
    expect(await engine.session('secret')).toMatchObject({ code: 'session-not-found' })
    expect(sure(await engine.list({ all: true })).total).toBe(1)
  })

  test('is written whole when promoted, and goes on there', async () => {
    const { engine, source } = await facadeWorld()
    const { handle } = sure(await engine.privateSession({ id: 'secret', title: 'Diary' }))
    const said = source.now()
    await handle.append({ id: 'm1', role: 'tool', text: 'x'.repeat(20_000) })
    source.advance(60_000)
    const commits = await engine.store.logHead()
    const promoted = sure(await handle.promote())
    expect(promoted).toMatchObject({ session: 'secret', events: ['SessionStarted', 'Renamed', 'MessageAppended'] })
    const written = await engine.store.readAll({ after: commits.position, limit: 100 })
    expect(new Set(written.map(({ recordedAt }) => recordedAt)).size).toBe(1)
    expect(await engine.session('Diary')).toMatchObject({ ok: true, session: 'secret' })
    await handle.append({ id: 'm2', role: 'user', text: 'after' })
    const found = await engine.session('secret')
    if (!found.ok) throw new Error(found.message)
    expect(await linesOf(found.handle)).toEqual([`m1: ${'x'.repeat(20_000)}`, 'm2: after'])
    const { entries } = sure(await found.handle.transcript())
    expect(entries[0]).toMatchObject({ id: 'm1', at: said })
  })

  test('whose title was taken meanwhile gets the next free number; whose id was, is refused whole', async () => {
    const { engine } = await facadeWorld()
    const one = sure(await engine.privateSession({ id: 'one', title: 'Diary' })).handle
    const two = sure(await engine.privateSession({ id: 'two' })).handle
    await engine.start({ id: 'other', title: 'Diary' })
    await engine.start({ id: 'two' })
    await one.promote()
    expect(await engine.session('Diary #2')).toMatchObject({ ok: true, session: 'one' })
    const before = await engine.store.readAll({ limit: 100 })
    expect(await two.promote()).toMatchObject({ code: 'id-taken', id: 'two' })
    expect(await engine.store.readAll({ limit: 100 })).toEqual(before)
    expect(await engine.privateSession({ id: 'other' })).toMatchObject({ code: 'id-taken' })
  })
})

describe('waiting', () => {
  test('waits for a revision of a session that another engine writes', async () => {
    const { engine, source } = await facadeWorld()
    const session = await startIn(engine)
    const other = await openEngine({ store: engine.store, source })
    let isThere = false
    const waiting = (async () => {
      await other.waitFor({ session: 's', revision: 2 })
      isThere = true
    })()
    await session.append({ role: 'user', text: '1' })
    await Promise.resolve()
    expect(isThere).toBe(false)
    await session.append({ role: 'user', text: '2' })
    await waiting
    expect(isThere).toBe(true)
  })

  test('waits no longer than its caller', async () => {
    const { engine } = await facadeWorld()
    await startIn(engine)
    const never = { session: 's', revision: 9 } as const
    await expect(engine.waitFor(never, { signal: AbortSignal.abort('late') })).rejects.toBe('late')
    const later = new AbortController()
    const waiting = engine.waitFor(never, { signal: later.signal })
    later.abort('too late')
    await expect(waiting).rejects.toBe('too late')
    await engine.waitFor({ session: 's', revision: 0 }, { signal: new AbortController().signal })
  })
})

describe('two engines on one file', () => {
  let folder: string
  const engines: Engine[] = []
  const open = async (): Promise<Engine> => {
    const engine = await openEngine({ file: join(folder, 'agent.db'), durability: 'system' })
    engines.push(engine)
    return engine
  }
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'refold-engines-'))
  })
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.close()
    await rm(folder, { recursive: true })
  })

  test('append to one session at once, and both read all of it, each message once', async () => {
    const [one, two] = [await open(), await open()]
    const session = await startIn(one)
    const found = await two.session('s')
    if (!found.ok) throw new Error(found.message)
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        (n % 2 === 0 ? session : found.handle).append([
          { id: `own ${n}`, role: 'user', text: `${n}` },
          { id: `pair ${Math.floor(n / 2)}`, role: 'user', text: 'said by both' },
        ]),
      ),
    )
    expect(outcomes.every((outcome) => outcome.ok)).toBe(true)
    const lines = await linesOf(session)
    expect(new Set(lines).size).toBe(90)
    expect(lines).toHaveLength(90)
    expect(await linesOf(found.handle)).toEqual(lines)
  })

  test('only one gets a title, an id, a rotation and a turn', async () => {
    const [one, two] = [await open(), await open()]
    await startIn(one)
    const handles = await Promise.all([one, two].map((engine) => engine.session('s')))
    const both = async (command: (engine: Engine, n: number) => Promise<{ readonly ok: boolean }>) => {
      const outcomes = await Promise.all([one, two].map(command))
      return outcomes.filter(({ ok }) => ok).length
    }
    expect(await both((engine) => engine.start({ id: 'wanted' }))).toBe(1)
    expect(await both((engine) => engine.start({ title: 'Wanted' }))).toBe(1)
    const handleAt = (n: number) => {
      const found = handles[n]
      if (!found?.ok) throw new Error('not found')
      return found.handle
    }
    expect(await both((_, n) => handleAt(n).rotate({ from: 's', segment: `s-${n}` }))).toBe(1)
    expect(await both((_, n) => handleAt(n).startTurn({ turn: `t${n}` }))).toBe(1)
  })

  test('a retry under the same key through the other engine writes nothing', async () => {
    const [one, two] = [await open(), await open()]
    await startIn(one)
    const handles = [sure(await one.session('s')), sure(await two.session('s'))]
    const outcomes = []
    for (const { handle } of handles) outcomes.push(await handle.append({ role: 'user', text: 'once' }, { key: 'k' }))
    expect(outcomes).toMatchObject([
      { appended: 1, repeated: false },
      { appended: 1, repeated: true },
    ])
    const first = await handles[0]?.handle.end({ reason: 'done', key: 'e' })
    await handles[1]?.handle.reopen()
    expect(await handles[1]?.handle.end({ reason: 'done', key: 'e' })).toEqual({ ...first, repeated: true })
  })

  test('the log and its views lie beside each other; the views may go at any time', async () => {
    const one = await open()
    const session = await startIn(one)
    await session.append({ id: 'm1', role: 'user', text: 'a' })
    expect(sure(await one.list()).total).toBe(1)
    await one.close()
    engines.pop()
    expect((await stat(join(folder, 'agent.views.db'))).isFile()).toBe(true)
    await rm(join(folder, 'agent.views.db'))
    const again = await open()
    expect(sure(await again.list()).sessions).toMatchObject([{ id: 's', preview: 'a' }])
  })

  test('opens for reading only what is there, and makes nothing', async () => {
    const file = join(folder, 'none.db')
    await expect(openEngine({ file, create: false })).rejects.toMatchObject({ code: 'store-missing' })
    await expect(stat(file)).rejects.toThrow()
    const writer = await openEngine({ file, durability: 'system' })
    await startIn(writer)
    await writer.close()
    const reader = await openEngine({ file, readOnly: true, source: systemSource })
    expect(sure(await reader.list()).total).toBe(1)
    await expect(reader.start()).rejects.toMatchObject({ code: 'store-readonly' })
    await reader.close()
  })
})
