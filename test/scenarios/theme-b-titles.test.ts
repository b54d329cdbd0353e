import { expect } from 'vitest'
import { scenario } from './scenario.ts'
import {
  answer,
  appendTurns,
  compact,
  listed,
  open,
  question,
  rotate,
  rowOf,
  rows,
  start,
  storedOf,
  sure,
  transcript,
  turn,
} from './words.ts'

scenario('B022', 'a base title that a closed ancestor of the same chat still holds', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.rename('atlas'))
  await appendTurns(S, 1, 6)
  sure(await rotate(S, 'S2', { keep: 2 }))
  const S2 = await open(world.first, 'S2')
  sure(await S2.rename('atlas #2'))
  const back = await S2.rename('atlas')
  const X = await start(world.first, 'X')
  const other = await X.rename('atlas')
  await world.clause("S2 becomes 'atlas'", () => expect(back).toMatchObject({ ok: true, session: 'S', title: 'atlas' }))
  await world.clause('exactly one visible row has it', async () => {
    expect((await rows(world.first)).filter(({ title }) => title === 'atlas').map(({ id }) => id)).toEqual(['S'])
  })
  await world.clause('X is refused as a real conflict', async () => {
    expect(other).toMatchObject({ ok: false, code: 'title-taken', holder: 'S', title: 'atlas' })
    expect(await rowOf(world.first, 'X')).toMatchObject({ title: null })
  })
})

scenario('B023', 'two sessions that come upon the same automatic title', async (world) => {
  const S1 = await start(world.first, 'S1')
  const S2 = await open(await world.engine(), (await start(world.first, 'S2')).id)
  const titled = await Promise.all([S1, S2].map((session) => session.rename('Fixing the clock', { by: 'model' })))
  const titles = (await rows(world.first, { all: true, sort: 'title' })).map(({ title }) => title)
  await world.clause('Both have a title', () => {
    for (const outcome of titled) expect(sure(outcome).title).toMatch(/^Fixing the clock/u)
    expect(titles).not.toContain(null)
  })
  await world.clause('the second gets a distinct one (for instance a numeric suffix)', () => {
    expect(titles).toEqual(['Fixing the clock', 'Fixing the clock #2'])
  })
  await world.clause('a user rename landing in between is never replaced by the suffix form', async () => {
    const S3 = await start(world.first, 'S3')
    sure(await S3.rename('My own'))
    expect(await S3.rename('Fixing the clock', { by: 'model' })).toMatchObject({ code: 'title-set-by-person' })
    expect(await rowOf(world.first, 'S3')).toMatchObject({ title: 'My own', titleBy: 'person' })
  })
})

scenario('B024', 'a rename refused because of a session that nobody sees', async (world) => {
  const S1 = await start(world.first, 'S1', { surface: 'telegram' })
  sure(await S1.rename('Foo'))
  sure(await S1.archive())
  const S2 = await start(world.first, 'S2', { surface: 'cli' })
  const conflict = await S2.rename('Foo')
  await world.clause(
    "A typed conflict that names the other session's id, source, archived/hidden state and a way out",
    async () => {
      expect(conflict).toMatchObject({
        ok: false,
        code: 'title-taken',
        holder: 'S1',
        holderSurface: 'telegram',
        holderArchived: true,
        holderHidden: false,
      })
      expect('message' in conflict && conflict.message).toMatch(/S1.*telegram.*archived.*rename that session/u)
      sure(await S1.set({ key: 'hidden', value: true }))
      for (const again of [await S2.rename('Foo'), await world.first.start({ id: 'S3', title: 'Foo' })])
        expect(again).toMatchObject({ code: 'title-taken', holder: 'S1', holderHidden: true })
    },
  )
  await world.clause('state of S2 unchanged', async () => {
    expect(await rowOf(world.first, 'S2')).toMatchObject({ title: null, archived: false })
    expect(await storedOf(S2, 'Renamed')).toEqual([])
  })
})

scenario('B027', 'a manual name replaced by an automatic one after resume or compaction', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.rename('mine'))
  await appendTurns(S, 1, 4)
  sure(await compact(S, { keep: 2 }))
  sure(await S.end({ reason: 'done' }))
  sure(await S.reopen())
  await appendTurns(S, 5, 6)
  const titler = await open(await world.engine({ actor: { kind: 'housekeeping', id: 'titler' } }), 'S')
  await world.clause("Title stays 'mine'", async () => {
    expect(await titler.rename('Valves and water', { by: 'model' })).toMatchObject({ code: 'title-set-by-person' })
    expect(await rowOf(world.first, 'S')).toMatchObject({ title: 'mine', titleBy: 'person' })
  })
  await world.clause('auto titles never replace a manual one unless the user asks for regeneration', async () => {
    expect(await titler.rename('Valves', { by: 'derived' })).toMatchObject({ ok: false, code: 'title-set-by-person' })
    expect(await titler.rename('Valves', { by: 'person' })).toMatchObject({ ok: false, code: 'not-allowed' })
    sure(await S.rename(null))
    expect(sure(await titler.rename('Valves and water', { by: 'model' })).title).toBe('Valves and water')
  })
})

scenario('B028', 'a title generator that finishes after the user renamed', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append(question(1)))
  const titler = await open(await world.engine(), 'S')
  const { messages: read } = sure(await titler.context())
  sure(await S.rename('mine'))
  const late = await titler.rename(`Generated from ${read.length}`, { by: 'model' })
  await world.clause("Title is 'mine' (compare-and-set on 'still unset/automatic')", async () => {
    expect(await rowOf(world.first, 'S')).toMatchObject({ title: 'mine', titleBy: 'person' })
    expect(late).toMatchObject({ ok: false, code: 'title-set-by-person', title: 'mine' })
  })
  await world.clause('the late result is recorded at most as an ignored event', async () => {
    expect((await storedOf(S, 'Renamed')).map(({ data }) => data.title)).toEqual(['mine'])
  })
})

scenario('B029', 'a fork that renames its original, or cannot be told from it', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.rename('orig'))
  await appendTurns(S, 1, 4)
  sure(await S.branch({ from: 'A4', id: 'F' }))
  const before = await rowOf(world.first, 'F')
  sure(await (await open(world.first, 'F')).rename('fork'))
  await world.clause("S stays 'orig', F is 'fork'", async () => {
    expect((await rows(world.first, { sort: 'title' })).map(({ id, title }) => [id, title])).toEqual([
      ['F', 'fork'],
      ['S', 'orig'],
    ])
  })
  await world.clause("an unrenamed branch has a distinguishable title or a visible 'branch of' marker", () => {
    expect(before).toMatchObject({
      title: 'orig #2',
      titleBy: 'branch',
      origin: { kind: 'branch', session: 'S', message: 'A4' },
    })
  })
})

scenario('B030', 'a renamed session without an automatic summary that is not listed', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append(question(1)))
  sure(await S.rename('n'))
  await world.clause("S is listed under 'n'", async () => {
    expect((await rows(world.first)).map(({ id, title }) => [id, title])).toEqual([['S', 'n']])
  })
  await world.clause('a missing optional field never removes a row', async () => {
    const bare = await start(world.first, 'bare')
    sure(await bare.append({ id: 'm', role: 'assistant', text: '' }))
    expect(await rowOf(world.first, 'bare')).toMatchObject({ title: null, preview: null, model: null, workspace: null })
    expect(await listed(world.first)).toEqual(expect.arrayContaining(['S', 'bare']))
  })
})

scenario('B031', 'views that know different titles', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append(question(1)))
  sure(await S.rename('foo bar'))
  sure(await S.end({ reason: 'done' }))
  const engine = await world.restart()
  await world.clause("All four agree on 'foo bar'", async () => {
    expect(await rowOf(engine, 'S')).toMatchObject({ title: 'foo bar' })
    expect((await rows(engine)).map(({ title }) => title)).toEqual(['foo bar'])
    expect((await rows(engine, { search: 'foo b' })).map(({ id, title }) => [id, title])).toEqual([['S', 'foo bar']])
    expect(await engine.session('foo bar')).toMatchObject({ ok: true, session: 'S' })
  })
})

scenario('B032', 'labels taken from the opening words of summaries', async (world) => {
  for (const n of [1, 2, 3]) {
    const session = await start(world.first, `S${n}`)
    for (const at of [n, n + 3, n + 6]) sure(await session.append(turn(at)))
    sure(await compact(session, { keep: 2, summary: 'This session is being continued.' }))
    sure(await session.append({ id: 'N', role: 'user', text: 'Go on.', provenance: 'engine' }))
  }
  await world.clause(
    'Labels differ and come from the first human message or the title, never from a summary or another synthetic message',
    async () => {
      for (const n of [1, 2, 3])
        expect((await rowOf(world.first, `S${n}`))?.preview).toMatch(new RegExp(`^Question ${n}:`, 'u'))
    },
  )
})

scenario('B033', 'a background child that looks like its parent in the list', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append(question(1)))
  world.source.advance(1_000)
  sure(await S.spawn({ id: 'D' }))
  world.source.advance(1_000)
  sure(await (await open(world.first, 'D')).append(question(1)))
  await world.clause('List and continue use the same rule: D is not a top-level row and continue picks S', async () => {
    expect(await listed(world.first)).toEqual(['S'])
    expect(sure(await world.first.list({ limit: 1 })).sessions.map(({ id }) => id)).toEqual(['S'])
  })
  await world.clause('if shown, D is marked as a child of S', async () => {
    const all = await rows(world.first, { all: true })
    expect(all.map(({ id, origin }) => [id, origin])).toEqual([
      ['D', { kind: 'delegate', session: 'S' }],
      ['S', { kind: 'root' }],
    ])
  })
})

scenario('B034', 'a shortened title or id that nothing resolves', async (world) => {
  await start(world.first, 'A', { title: 'quarterly planning notes' })
  await start(world.first, 'B', { title: 'quarterly review' })
  await world.clause('Unique prefix resolves to A', async () => {
    expect(await world.first.session('quarterly plan')).toMatchObject({ ok: true, session: 'A' })
  })
  await world.clause("ambiguous prefix gives a typed 'ambiguous' result listing both", async () => {
    expect(await world.first.session('quarterly')).toMatchObject({
      ok: false,
      code: 'ambiguous-session',
      candidates: [
        { session: 'A', title: 'quarterly planning notes' },
        { session: 'B', title: 'quarterly review' },
      ],
    })
  })
  await world.clause('an empty string never matches anything', async () => {
    for (const name of ['', ' ', '%', '___'])
      expect(await world.first.session(name)).toMatchObject({ ok: false, code: 'session-not-found' })
  })
  await world.clause('exact id beats exact title beats prefix', async () => {
    await start(world.first, 'notes', { title: 'something else' })
    await start(world.first, 'N2', { title: 'notes' })
    await start(world.first, 'plan-of-may', { title: 'other' })
    await start(world.first, 'N3', { title: 'plan' })
    expect(await world.first.session('notes')).toMatchObject({ session: 'notes' })
    expect(await world.first.session('plan')).toMatchObject({ session: 'N3' })
    expect(await world.first.session('plan-')).toMatchObject({ session: 'plan-of-may' })
  })
})

scenario('B035', 'explicit renames ignored after an automatic one', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.rename('A', { by: 'model' }))
  const told: (string | null)[] = []
  for (const title of ['B', 'C', 'B']) told.push(sure(await S.rename(title)).title)
  await world.clause('Each explicit rename takes effect', async () => {
    expect(told).toEqual(['B', 'C', 'B'])
    expect((await storedOf(S, 'Renamed')).map(({ data }) => data.title)).toEqual(['A', 'B', 'C', 'B'])
    expect(await rowOf(world.first, 'S')).toMatchObject({ title: 'B', titleBy: 'person' })
  })
  await world.clause("only automatic titles are guarded by 'still automatic'", async () => {
    expect(await S.rename('D', { by: 'model' })).toMatchObject({ ok: false, code: 'title-set-by-person' })
    const T = await start(world.first, 'T')
    sure(await T.rename('A', { by: 'model' }))
    expect(sure(await T.rename('E', { by: 'model' })).title).toBe('E')
  })
})

scenario('B036', 'titles cut into one, and titles with characters that nobody sees', async (world) => {
  const [S1, S2, S3] = [await start(world.first, 'S1'), await start(world.first, 'S2'), await start(world.first, 'S3')]
  const long = [await S1.rename(`${'x'.repeat(299)}1`), await S2.rename(`${'x'.repeat(299)}2`)]
  await world.clause(
    'Length limit is applied with a defined rule before the uniqueness check (the second is refused or suffixed)',
    async () => {
      for (const outcome of long) expect(outcome).toMatchObject({ code: 'title-too-long', length: 300, limit: 100 })
      expect((await rows(world.first, { all: true })).map(({ title }) => title)).toEqual([null, null, null])
    },
  )
  await world.clause('S3 is stored without invisible/control characters, with collapsed whitespace', async () => {
    expect(sure(await S3.rename('a\u200bb\u202e\n c')).title).toBe('ab c')
    expect(await rowOf(world.first, 'S3')).toMatchObject({ title: 'ab c' })
  })
  await world.clause('cutting never splits a code point', async () => {
    const faces = '😀'.repeat(100)
    sure(await S1.rename(faces))
    const { title } = sure(await S2.rename(faces, { by: 'model' }))
    expect(title).toBe(`${'😀'.repeat(97)} #2`)
    expect(title?.isWellFormed()).toBe(true)
  })
})

scenario('B037', 'title records written several times a turn', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append([question(1), answer(1)]))
  for (let time = 0; time < 3; time += 1) sure(await S.rename('Valve one'))
  await world.clause(
    'One row, one copy of the message: re-applying an identical metadata event is a no-op in every view',
    async () => {
      expect((await rows(world.first, { all: true })).map(({ id, title }) => [id, title])).toEqual([['S', 'Valve one']])
      expect(await transcript(S)).toEqual(['U1', 'A1'])
      expect(await storedOf(S, 'Renamed')).toHaveLength(1)
      expect(await rows(world.first, { search: 'Valve one' })).toHaveLength(1)
    },
  )
})
