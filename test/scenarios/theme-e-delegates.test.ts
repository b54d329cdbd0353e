import { expect } from 'vitest'
import { scenario, waiting } from './scenario.ts'
import {
  appendTurns,
  compact,
  context,
  contextLinesOf,
  linesOf,
  listed,
  open,
  question,
  rotate,
  rowOf,
  start,
  stored,
  storedOf,
  sure,
  transcript,
  transcriptOf,
  turn,
} from './words.ts'

const DAY = 86_400_000
const everything = { all: true, archived: true } as const

scenario('B104', 'a delegate that archives its own parent', async (world) => {
  const S = await start(world.first, 'S', { title: 'Manual' })
  sure(await S.append(turn(1)))
  sure(await S.spawn({ id: 'D' }))
  sure(await (await open(world.first, 'D')).spawn({ id: 'DD' }))
  const before = [await stored(S), await rowOf(world.first, 'S')]
  await world.clause('All refused: an actor inside a delegate has no lifecycle rights over ancestors', async () => {
    for (const acting of ['D', 'DD']) {
      const engine = await world.engine({ actor: { kind: 'agent', id: 'worker', session: acting } })
      const [parent, own] = [await open(engine, 'S'), await open(engine, acting)]
      const tried = {
        'archive D': await own.archive(),
        'archive S': await parent.archive(),
        'archive S as idle': await parent.archive({ by: 'idle' }),
        'delete S': await engine.delete(['S']),
        'delete D and S': await engine.delete([acting, 'S']),
        'rename S': await parent.rename('Mine'),
        'rename S as a model': await parent.rename('Mine', { by: 'model' }),
        'end S': await parent.end({ reason: 'done' }),
        'hide S': await parent.set({ key: 'hidden', value: true }),
        'reset S': await engine.start({ resetOf: 'S' }),
      }
      for (const [what, outcome] of Object.entries(tried))
        expect([what, outcome]).toMatchObject([what, { ok: false, code: 'not-allowed' }])
    }
  })
  await world.clause('S unaffected', async () => {
    expect([await stored(S), await rowOf(world.first, 'S')]).toEqual(before)
    expect(await rowOf(world.first, 'D')).toMatchObject({ archived: false })
  })
})

scenario('B105', 'delegates that go on running when their parent was aborted', async (world) => {
  const S = await start(world.first, 'S')
  for (const id of ['D1', 'D2', 'finished']) sure(await S.spawn({ id }))
  const D1 = await open(world.first, 'D1')
  sure(await D1.spawn({ id: 'D11' }))
  for (const id of ['D1', 'D2', 'D11']) sure(await (await open(world.first, id)).startTurn())
  sure(await (await open(world.first, 'finished')).end({ reason: 'found it' }))
  sure(await S.report({ delegate: 'finished', outcome: 'done', message: 'Found.' }))
  const ended = sure(await S.end({ reason: 'aborted' }))
  const reasonOf = async (id: string) =>
    (await storedOf(await open(world.first, id), 'Ended')).map(({ data }) => data.reason)
  // Refold's word is `parent-ended`; why the parent ended stands in the parent.
  await world.clause("D1, D2, D11 end with reason 'parent aborted'", async () => {
    expect(new Set(ended.delegates)).toEqual(new Set(['D1', 'D2', 'D11']))
    for (const id of ['D1', 'D2', 'D11']) {
      expect(await reasonOf(id)).toEqual(['parent-ended'])
      expect(await rowOf(world.first, id)).toMatchObject({ status: 'ended', turn: null })
    }
    expect(await reasonOf('S')).toEqual(['aborted'])
  })
  await world.clause('finished delegates keep their own reason', async () => {
    expect(await reasonOf('finished')).toEqual(['found it'])
  })
})

scenario('B106', 'a result that comes after the parent got another id', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.spawn({ id: 'D', task: 'Look it up' }))
  await appendTurns(S, 1, 3)
  sure(await rotate(S, 'S2', { keep: 2 }))
  const card = async () => (await transcriptOf(S)).entries.find(({ kind }) => kind === 'delegate')
  sure(await (await open(world.first, 'D')).startTurn())
  const before = await card()
  const worker = await open(await world.engine(), 'S')
  const told = sure(await worker.report({ delegate: 'D', outcome: 'done', message: 'R: it is seven.' }))
  const again = sure(await worker.report({ delegate: 'D', outcome: 'done', message: 'R: it is seven.' }))
  await world.clause("R is in S2 exactly once, state 'delivered' only after it is stored", async () => {
    const S2 = await open(world.first, 'S2')
    expect((await contextLinesOf(S2)).filter((line) => line.includes('R: it is seven.'))).toHaveLength(1)
    expect(again).toMatchObject({ repeated: true, injectedAs: told.injectedAs })
    expect(before).toMatchObject({ details: { status: 'running' } })
    expect(await card()).toMatchObject({ details: { session: 'D', status: 'done' } })
    expect(told.events).toEqual(['DelegateReported', 'MessageAppended'])
  })
  const T = await start(world.first, 'T')
  sure(await T.spawn({ id: 'E' }))
  const E = await open(world.first, 'E')
  const anew = sure(await world.first.start({ id: 'T-anew', resetOf: 'T' })).handle
  sure(await E.append({ id: 'R', role: 'assistant', text: 'R: it is eight.' }, { reopen: true }))
  const late = sure(await T.report({ delegate: 'E', outcome: 'done', message: 'R: it is eight.' }))
  await world.clause('Variant: R is not injected into the new conversation', async () => {
    expect(await transcript(anew)).toEqual([])
    expect(await context(anew)).toEqual([])
    expect(await context(T)).toEqual([])
  })
  await world.clause("state 'undeliverable', R still readable from D", async () => {
    expect(late).toMatchObject({ injectedAs: null, events: ['DelegateReported'] })
    expect(await linesOf(E)).toEqual(['R: it is eight.'].map((text) => `R: ${text}`))
    expect((await storedOf(T, 'DelegateReported')).map(({ data }) => data)).toEqual([
      { session: 'E', run: '1', outcome: 'done', message: 'R: it is eight.' },
    ])
  })
})

scenario('B107', 'results that go to whichever session is active', async (world) => {
  const A = await start(world.first, 'A')
  sure(await A.spawn({ id: 'D' }))
  const B = await start(world.first, 'B')
  sure(await B.append(turn(1)))
  sure(await B.bindRoute({ route: 'screen' }))
  const before = await stored(B)
  const wrong = await B.report({ delegate: 'D', outcome: 'done', message: 'Found.' })
  sure(await A.report({ delegate: 'D', outcome: 'done', message: 'Found.' }))
  await world.clause('Result in A only', async () => {
    expect((await contextLinesOf(A)).map((line) => line.replace(/^.*: /u, ''))).toEqual(['Found.'])
    expect(wrong).toMatchObject({ ok: false, code: 'not-a-delegate' })
  })
  await world.clause('B unchanged', async () => expect(await stored(B)).toEqual(before))
  await world.clause('current selection unchanged', async () => {
    expect(await world.first.route('screen')).toEqual({ session: 'B', generation: 1 })
  })
})

scenario('B108', 'later messages of the user added to a finished delegate', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.bindRoute({ route: 'screen' }))
  sure(await S.append(turn(1)))
  sure(await S.spawn({ id: 'D' }))
  const D = await open(world.first, 'D')
  sure(await D.append({ id: 'm', role: 'assistant', text: 'Found.' }))
  sure(await S.report({ delegate: 'D', outcome: 'done', message: 'Found.' }))
  const surface = await open(world.first, (await world.first.route('screen')).session ?? '')
  sure(await surface.append(question(2)))
  await world.clause('U2 is in S', async () => {
    expect(await transcript(S)).toEqual(['U1', 'A1', 'U2'])
    expect(await transcript(D)).toEqual(['m'])
  })
  await world.clause('D is closed to user appends unless the user opens it explicitly', async () => {
    expect(await D.append(question(3))).toMatchObject({ ok: false, code: 'session-ended', reason: 'reported' })
    expect(await rowOf(world.first, 'D')).toMatchObject({ status: 'ended' })
    sure(await D.reopen())
    expect(sure(await D.append(question(3))).appended).toBe(1)
    expect(await transcript(D)).toEqual(['m', 'U3'])
  })
})

waiting('B109', 'retention', 'age judged by the last message only; open sessions skipped without a word')

scenario('B110', 'a retention that nobody asked for', async (world) => {
  sure(await (await start(world.first, 'S')).append(turn(1)))
  world.source.advance(400 * DAY)
  sure(await (await start(world.first, 'T')).append(turn(1)))
  const { position } = await world.first.store.logHead()
  for (let time = 0; time < 3; time += 1) {
    world.source.advance(40 * DAY)
    await listed(await world.restart())
  }
  await world.clause('No deletion without an explicit setting', async () => {
    expect(await listed(world.first)).toEqual(['T', 'S'])
    expect((await world.first.store.logHead()).position).toBe(position)
  })
  await world.clause('list and store agree at once', async () => {
    const { sessions, total } = sure(await world.first.list(everything))
    expect(total).toBe(2)
    for (const { id } of sessions) expect(await transcript(await open(world.first, id))).toEqual(['U1', 'A1'])
    sure(await world.first.delete(['S']))
    expect(sure(await world.first.list(everything))).toMatchObject({ sessions: [{ id: 'T' }], total: 1 })
  })
})
waiting('B110', 'retention', 'when enabled, a report (and a recoverable period if configured)')

scenario('B111', 'a clean-up that hides a live chat, and nobody can tell why', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 2)
  sure(await rotate(S, 'S2'))
  const reaper = { kind: 'housekeeping', id: 'orphan-reaper' } as const
  const housekeeping = await open(await world.engine({ actor: reaper }), 'S')
  sure(await housekeeping.end({ reason: 'orphan reap', class: 'accident' }))
  const asPerson = await housekeeping.archive()
  sure(await housekeeping.archive({ by: 'idle' }))
  const hidden = await listed(world.first)
  const u = sure(await (await open(world.first, 'S2')).append(question(3)))
  await world.clause('S2 stays listed (an automatic rule must not hide a conversation with a live tip)', async () => {
    expect(hidden).toEqual([])
    expect(u.events).toEqual(['Reopened', 'Unarchived', 'MessageAppended'])
    expect(await listed(world.first)).toEqual(['S'])
    expect(await rowOf(world.first, 'S')).toMatchObject({ tip: 'S2', archived: false, status: 'waiting' })
  })
  await world.clause('every archive event records actor and reason and can be undone', async () => {
    expect(asPerson).toMatchObject({ ok: false, code: 'not-allowed', actor: 'orphan-reaper' })
    const [archived] = await storedOf(S, 'Archived')
    expect(archived).toMatchObject({ actor: reaper, data: { by: 'idle' } })
    expect(await storedOf(S, 'Ended')).toMatchObject([{ actor: reaper, data: { reason: 'orphan reap' } }])
    sure(await housekeeping.archive({ by: 'idle' }))
    sure(await S.unarchive())
    expect(await listed(world.first)).toEqual(['S'])
  })
})

waiting('B112', 'retention', 'a negative cap that means all but the last')

scenario('B114', 'delegates that leave the view of their parent after a compaction', async (world) => {
  const S = await start(world.first, 'S')
  for (const id of ['D1', 'D2']) sure(await S.spawn({ id }))
  await appendTurns(S, 1, 6)
  sure(await compact(S, { keep: 2 }))
  sure(await rotate(S, 'S2'))
  await world.clause('D1 and D2 are children of the conversation through every id', async () => {
    for (const name of ['S', 'S2']) {
      const session = await open(world.first, name)
      expect(sure(await session.lineage()).children).toEqual([
        { kind: 'delegate', session: 'D1' },
        { kind: 'delegate', session: 'D2' },
      ])
      const cards = (await transcriptOf(session)).entries.filter(({ kind }) => kind === 'delegate')
      expect(cards.map(({ id }) => id)).toEqual(['D1', 'D2'])
    }
    expect(await rowOf(world.first, 'S')).toMatchObject({ delegates: 2 })
    for (const id of ['D1', 'D2'])
      expect(await rowOf(world.first, id)).toMatchObject({ origin: { kind: 'delegate', session: 'S' } })
  })
})
