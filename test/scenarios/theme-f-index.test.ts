import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { doctorOfFile, viewsFileOf, type SessionRow } from '@refold/engine'
import { call } from '../cli/call.ts'
import { scenario, waiting } from './scenario.ts'
import { answer, listed, open, question, rowOf, rows, start, stored, sure, transcript, turn } from './words.ts'

const DAY = 24 * 3_600_000

scenario('B122', 'a side index stops being updated: 139 of 654 sessions are listed', async (world) => {
  const views = viewsFileOf(world.file)
  const frozen = join(world.folder, 'frozen.db')
  const ids = Array.from({ length: 20 }, (_, index) => `s${index + 1}`)
  for (const id of ids) {
    sure(await (await start(world.first, id)).append(turn(1)))
    world.source.advance(1_000)
    if (id !== 's5') continue
    expect(await listed(world.first)).toHaveLength(5)
    await world.restart()
    copyFileSync(views, frozen)
  }
  expect(await listed(world.first)).toHaveLength(20)
  const spoiled = {
    missing: () => rmSync(views),
    stale: () => copyFileSync(frozen, views),
    damaged: () => copyFileSync(world.file, views),
    'damaged inside': () => {
      const database = new Database(views)
      database.exec('DROP TABLE tips')
      database.close()
    },
  }
  for (const spoil of Object.values(spoiled)) {
    await world.first.close()
    spoil()
    const engine = await world.restart()
    await world.clause(
      '20 rows: a missing, stale or damaged projection is detected (version/sequence check) and rebuilt from the log',
      async () => {
        expect((await listed(engine)).toSorted()).toEqual(ids.toSorted())
      },
    )
    await world.clause('never trusted silently', async () => {
      world.source.advance(1_000)
      const twenty = await open(engine, 's20')
      sure(await twenty.append({ role: 'user', text: 'And now?' }))
      const list = await rows(engine)
      expect(list[0]).toMatchObject({ id: 's20', messages: (await transcript(twenty)).length })
      expect(list).toHaveLength(20)
    })
  }
  await world.clause('rows that somebody took out of a projection whose checkpoint fits are found', async () => {
    await world.first.close()
    const database = new Database(views)
    database.exec(`DELETE FROM tips WHERE session = 's7'`)
    database.close()
    const { ok, findings } = await doctorOfFile(world.file)
    expect({ ok, found: findings.map(({ code, session }) => ({ code, session })) }).toEqual({
      ok: false,
      found: [{ code: 'row-missing', session: 's7' }],
    })
    expect(await doctorOfFile(world.file, { repair: true })).toMatchObject({ ok: true })
    expect((await listed(await world.restart())).toSorted()).toEqual(ids.toSorted())
  })
})

scenario('B123', 'a conversation that begins with only an attachment vanishes', async (world) => {
  const S = await start(world.first, 'S')
  const picture = { type: 'image', mediaType: 'image/png', data: Uint8Array.of(1, 2, 3) } as const
  sure(await S.append({ id: 'U1', role: 'user', parts: [{ type: 'text', text: '' }, picture] }))
  sure(await S.append(answer(1)))
  const named = await start(world.first, 'T')
  const file = { type: 'file', mediaType: 'text/csv', name: 'pressures.csv', data: Uint8Array.of(4) } as const
  sure(await named.append({ id: 'U1', role: 'user', parts: [file] }))
  const engine = await world.restart()
  await world.clause('Listed with a fallback label (attachment name or time).', async () => {
    expect((await listed(engine)).toSorted()).toEqual(['S', 'T'])
    expect((await rowOf(engine, 'T'))?.preview).toBe('pressures.csv')
    // A picture has no name: its session is told by its time, and opens.
    expect(await rowOf(engine, 'S')).toMatchObject({ preview: null, lastActivityAt: world.source.now(), messages: 2 })
    expect(await transcript(await open(engine, 'S'))).toEqual(['U1', 'A1'])
  })
})

scenario('B124', 'changing the model provider hides every earlier session', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.set({ key: 'model', value: 'm1', provider: 'p1' }))
  sure(await S.append(turn(1)))
  sure(await (await start(world.first, 'T')).set({ key: 'model', value: 'm2', provider: 'p2' }))
  const engine = await world.restart()
  await world.clause('S listed and resumable', async () => {
    expect((await listed(engine)).toSorted()).toEqual(['S', 'T'])
    expect(sure(await (await open(engine, 'S')).append(turn(2)))).toMatchObject({ appended: 2 })
  })
  // There is no filter by provider at all; the filters there are take part in `total`, so that nothing is left out unsaid.
  await world.clause('filtering by provider happens only when asked and is reported', async () => {
    expect(sure(await engine.list())).toMatchObject({ total: 2, cursor: null })
  })
})

/*
 * Refold's list leaves nothing out on its own: a host may just have opened an unused session. Its row says so (`empty`, no title, no
 * delegates), and a host shows or hides it by that. The clean-up itself is part of retention.
 */
scenario('B125', 'sessions opened but never used fill the list', async (world) => {
  for (const id of ['a', 'b', 'c', 'named', 'parent']) await start(world.first, id)
  sure(await (await open(world.first, 'named')).rename('kept for its name'))
  sure(await (await open(world.first, 'parent')).spawn({ id: 'D' }))
  await world.clause('List shows only the renamed one and the one with a delegate', async () => {
    const all = await rows(world.first)
    const used = all.filter(({ status, title, delegates }) => status !== 'empty' || title !== null || delegates > 0)
    expect(all.map(({ status }) => status)).toEqual(['empty', 'empty', 'empty', 'empty', 'empty'])
    expect(used.map(({ id }) => id).toSorted((a, b) => a.localeCompare(b))).toEqual(['named', 'parent'])
  })
})
waiting('B125', 'retention', 'clean-up removes exactly 3')

scenario('B126', 'the list says 89, the statistics 789; listed rows cannot be opened', async (world) => {
  const { engine, store } = await world.breakableEngine()
  for (let n = 1; n <= 10; n += 1) {
    const S = await start(engine, `root-${n}`)
    sure(await S.append(turn(n)))
    sure(await S.branch({ from: `U${n}`, id: `branch-${n}` }))
    sure(await S.spawn({ id: `delegate-${n}` }))
    sure(await S.recordUsage({ key: 'k', tokens: { input: 1 }, calls: 1 }))
  }
  sure(await (await open(engine, 'root-9')).archive({ by: 'idle' }))
  sure(await (await open(engine, 'root-8')).set({ key: 'hidden', value: true }))
  for (const id of ['root-1', 'branch-2', 'delegate-3', 'branch-4']) sure(await engine.delete([id]))
  store.breakNext('before')
  await expect(engine.delete(['root-5'])).rejects.toThrow('killed')
  store.breakNext('after')
  await expect(engine.delete(['root-6'])).rejects.toThrow('killed')
  const fresh = await world.restart()
  const deleted = ['root-1', 'delegate-1', 'branch-2', 'delegate-3', 'branch-4', 'root-6', 'delegate-6']
  const kinds = { default: {}, archived: { archived: true }, all: { all: true, archived: true } }
  await world.clause('Totals agree for the same filter', async () => {
    for (const query of Object.values(kinds)) {
      const { sessions, total } = sure(await fresh.list({ ...query, limit: 100 }))
      expect(total).toBe(sessions.length)
      expect(sure(await fresh.list({ ...query, limit: 3 })).total).toBe(total)
    }
    // What deleted sessions spent stays in the sum, under no name.
    const listedRoots = (await rows(fresh, kinds.all)).filter(({ id }) => id.startsWith('root-'))
    const { lines, total } = sure(await fresh.usage({ by: 'session' }))
    const named = lines.flatMap(({ group }) => (group === null ? [] : [group]))
    expect(named.toSorted()).toEqual(listedRoots.map(({ id }) => id).toSorted())
    expect(total.calls).toBe(10)
  })
  await world.clause('every listed row opens, and everything that opens is listed under some filter', async () => {
    for (const { id, messages } of await rows(fresh, kinds.all))
      expect(await transcript(await open(fresh, id))).toHaveLength(messages)
    const everything = Array.from({ length: 10 }, (_, n) => [`root-${n + 1}`, `branch-${n + 1}`, `delegate-${n + 1}`])
    const living = everything.flat().filter((id) => !deleted.includes(id))
    expect((await listed(fresh, kinds.all)).toSorted()).toEqual(living.toSorted())
  })
})

scenario('B127', 'at restart list rows lose their conversation and get the start-up time', async (world) => {
  for (let n = 1; n <= 5; n += 1) {
    const S = await start(world.first, `S${n}`, { workspace: n % 2 === 0 ? '/project/even' : '/project/odd' })
    sure(await S.append(turn(n)))
    world.source.advance(DAY)
  }
  const look = async (): Promise<readonly (readonly SessionRow[])[]> => [
    await rows(world.first),
    await rows(world.first, { workspace: '/project/odd' }),
    await rows(world.first, { workspace: '/project/even' }),
  ]
  const before = await look()
  const head = await world.first.store.logHead()
  for (let restart = 1; restart <= 3; restart += 1) {
    world.source.advance(DAY)
    await world.restart()
    await world.clause('Identical', async () => {
      expect(await look()).toEqual(before)
    })
    await world.clause('merely opening the store changes no conversation data', async () => {
      expect(await world.first.store.logHead()).toEqual(head)
    })
  }
})

/*
 * The one documented rule: a workspace is a setting of each session, written by whoever knows that it moved; a list by workspace
 * asks for that value. So a session is in exactly one workspace's list, and never copied.
 */
scenario('B128', 'a workspace gets a new identity and its list is frozen', async (world) => {
  const S = await start(world.first, 'S', { workspace: '/W' })
  const T = await start(world.first, 'T', { workspace: '/W' })
  for (const session of [S, T]) sure(await session.append(turn(1)))
  for (const { id } of await rows(world.first, { workspace: '/W' }))
    sure(await (await open(world.first, id)).set({ key: 'workspace', value: '/W2' }))
  const V = await start(world.first, 'V', { workspace: '/W2' })
  sure(await V.append(question(1)))
  await world.clause('Both lists come from the same conversations by one documented rule', async () => {
    expect((await listed(world.first, { workspace: '/W2' })).toSorted()).toEqual(['S', 'T', 'V'])
    expect(await listed(world.first, { workspace: '/W' })).toEqual([])
    expect(await listed(world.first)).toHaveLength(3)
  })
  await world.clause('no row opens empty', async () => {
    for (const { id } of await rows(world.first)) expect(await transcript(await open(world.first, id))).not.toEqual([])
  })
  await world.clause('the rename is seen in both', async () => {
    sure(await S.rename('seen from everywhere'))
    const other = await world.engine()
    for (const engine of [world.first, other])
      expect((await rows(engine, { workspace: '/W2' })).find(({ id }) => id === 'S')?.title).toBe(
        'seen from everywhere',
      )
    const { json } = await call(['--db', world.file, '--json', 'list'])
    expect(json.sessions.find(({ id }: { readonly id: string }) => id === 'S').title).toBe('seen from everywhere')
    expect(await stored(S)).not.toEqual([])
  })
})
