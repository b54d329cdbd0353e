import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { openEngine, openSqliteStore, type Engine, type MessageInput } from '@refold/engine'
import { spawned } from '../cli/spawned.ts'
import { scenario } from './scenario.ts'
import {
  answer,
  appendTurns,
  call,
  compact,
  context,
  contextOf,
  listed,
  open,
  question,
  result,
  rowOf,
  rows,
  start,
  stored,
  sure,
  transcript,
  transcriptOf,
  turn,
  turnsFrom,
} from './words.ts'

const ids = (from: number, to: number): readonly string[] => turnsFrom(from, to).map(({ id }) => id ?? '')
const json = (lines: readonly MessageInput[]): string => lines.map((line) => JSON.stringify(line)).join('\n')

/** What one holder says in its turn. */
const work = (name: string): readonly MessageInput[] =>
  [question(1), call(1), result(1), answer(1)].map((message) => ({ ...message, id: `${name}-${message.id}` }))

/*
 * A result that comes after the user's next words cannot move before them without changing what the model has been sent already. The
 * context then holds a stand-in behind the call and the result's words where they arrived; the transcript shows what happened.
 */
scenario('B168', 'with three parallel tool calls one result is never written', async (world) => {
  const S = await start(world.first, 'S')
  const writers: Engine[] = [await world.engine(), await world.engine(), await world.engine()]
  const handles = await Promise.all(writers.map((engine) => open(engine, 'S')))
  const rounds = 200
  for (let round = 1; round <= rounds; round += 1) {
    const made = ['a', 'b', 'c'].map((name) => ({ id: `${name}-${round}`, name: 'look', arguments: { round } }))
    sure(await S.append({ id: `T${round}`, role: 'assistant', toolCalls: made }))
    const results = ['c', 'a', 'b'].map((name, index) =>
      handles[index]?.append({
        id: `R${name}-${round}`,
        role: 'tool',
        toolCallId: `${name}-${round}`,
        text: `output ${name}-${round}`,
      }),
    )
    await Promise.all([...results, S.append(question(round))])
  }
  const { messages } = await contextOf(S)
  const { entries } = await transcriptOf(S)
  await world.clause('Three results each time, paired', () => {
    const words = JSON.stringify(messages)
    for (let round = 1; round <= rounds; round += 1) {
      const at = messages.findIndex(({ id }) => id === `T${round}`)
      const answering = messages.slice(at + 1, at + 4).flatMap(({ parts }) => parts)
      expect(answering.map((part) => (part.type === 'tool-result' ? part.toolCallId : part.type)).toSorted()).toEqual(
        ['a', 'b', 'c'].map((name) => `${name}-${round}`),
      )
      for (const name of ['a', 'b', 'c']) expect(words).toContain(`output ${name}-${round}"`)
    }
  })
  await world.clause('U2 after them', () => {
    const order = messages.map(({ id, role }) => (role === 'assistant' ? 'calls' : role === 'tool' ? 'result' : id))
    for (let round = 1; round <= rounds; round += 1) {
      const at = order.indexOf(`U${round}`)
      expect(order.lastIndexOf('calls', at)).toBeLessThanOrEqual(at - 4)
      expect(messages[order.lastIndexOf('calls', at)]?.id).toBe(`T${round}`)
    }
  })
  await world.clause('no write lost', () => {
    const wanted = Array.from({ length: rounds }, (_, n) =>
      ['T', 'U', 'Ra-', 'Rb-', 'Rc-'].map((kind) => kind + (n + 1)),
    )
    expect(entries.map(({ id }) => id).toSorted()).toEqual(wanted.flat().toSorted())
  })
})

scenario('B169', 'two turns run at once on one session', async (world) => {
  await start(world.first, 'S')
  const refold = (...words: readonly string[]) => spawned(['--db', world.file, '--json', ...words])
  const begun = await Promise.all([
    refold('turn', 'start', 'S', '--turn', 'one', '--holder', 'W1'),
    refold('turn', 'start', 'S', '--turn', 'two', '--holder', 'W2'),
  ])
  const winner = begun[0].status === 0 ? 'one' : 'two'
  const loser = winner === 'one' ? 'two' : 'one'
  await world.clause("Turns are serialised or the second is refused with 'busy'", async () => {
    expect(begun.filter(({ status }) => status === 0)).toHaveLength(1)
    const refused = begun.find(({ status }) => status === 1)
    expect(JSON.parse(refused?.output ?? '')).toMatchObject({ error: { code: 'turn-held', turn: winner } })
  })
  const append = (name: string) =>
    spawned(['--db', world.file, '--json', 'append', 'S', '--turn', name], { input: json(work(name)) })
  const both = await Promise.all([append(winner), append(loser)])
  expect(both.map(({ status }) => status)).toEqual([0, 1])
  expect((await refold('turn', 'end', 'S', winner)).status).toBe(0)
  expect((await refold('turn', 'start', 'S', '--turn', loser)).status).toBe(0)
  expect((await append(loser)).status).toBe(0)
  const S = await open(world.first, 'S')
  await world.clause('messages of one turn are contiguous (or carry a turn id that keeps them grouped)', async () => {
    const wanted = [winner, loser].flatMap((name) => work(name).map(({ id }) => id))
    expect(await transcript(S)).toEqual(wanted)
    const turns = (await stored(S)).flatMap(({ type, data }) =>
      type === 'MessageAppended' && data !== null && typeof data === 'object' && 'turn' in data ? [data.turn] : [],
    )
    expect(turns).toEqual([...Array.from({ length: 4 }, () => winner), ...Array.from({ length: 4 }, () => loser)])
  })
  await world.clause('none lost', async () => {
    expect((await context(S)).filter((id) => id !== 'repair')).toHaveLength(8)
  })
})

scenario('B170', 'when the lock cannot be had in time the code goes ahead without it', async (world) => {
  const S = await start(world.first, 'S')
  const { turn: held } = sure(await S.startTurn({ turn: 'first', holder: 'W1', leaseMs: 60_000 }))
  sure(await S.append(question(1), { turn: held }))
  const second = await open(await world.engine(), 'S')
  const before = await stored(S)
  await world.clause("W2 gets a typed 'busy/unavailable' error and nothing is written", async () => {
    expect(await second.startTurn({ turn: 'second', holder: 'W2' })).toMatchObject({ code: 'turn-held', holder: 'W1' })
    expect(await second.append(answer(1), { turn: 'second' })).toMatchObject({ ok: false, code: 'turn-held' })
    const unwritable = await open(await world.engine({ readOnly: true }), 'S')
    await expect(unwritable.startTurn({ turn: 'second' })).rejects.toMatchObject({ code: 'store-readonly' })
    const store = await openSqliteStore({ file: world.file, source: world.source, waitMs: 30 })
    const impatient = await openEngine({ store, source: world.source })
    const blocker = new Database(world.file)
    blocker.exec('BEGIN IMMEDIATE')
    const locked = await open(impatient, 'S')
    // The lease store is the log itself: it is asked, cannot answer, and that is no leave to go on.
    const attempt = expect(locked.startTurn({ turn: 'second' })).rejects.toMatchObject({ code: 'store-busy' })
    const ticking = setInterval(() => world.source.advance(10), 5)
    await attempt
    clearInterval(ticking)
    blocker.exec('ROLLBACK')
    blocker.close()
    await impatient.close()
    await store.close()
    expect(await stored(S)).toEqual(before)
  })
  world.source.advance(60_000)
  await world.clause("a dead holder's lease expires", async () => {
    expect(await rowOf(world.first, 'S')).toMatchObject({ status: 'interrupted', turn: null })
    sure(await second.startTurn({ turn: 'second', holder: 'W2' }))
  })
  await world.clause("a late holder's write after expiry is refused (fencing)", async () => {
    const late = await S.append(answer(1), { turn: held })
    expect(late).toMatchObject({ ok: false, code: 'turn-lost', turn: 'first', holder: 'W2' })
    expect(await S.renewTurn(held)).toMatchObject({ ok: false, code: 'turn-lost' })
    expect(await transcript(S)).toEqual(['U1'])
  })
})

scenario('B171', 'an action already done by one is done again by the other', async (world) => {
  await appendTurns(await start(world.first, 'S'), 1, 1)
  const [first, second] = [await open(world.first, 'S'), await open(await world.engine(), 'S')]
  const v = first.readUpTo
  expect(second.readUpTo).toBe(v)
  const written = sure(await first.append([call(1), result(1)], { expect: v }))
  await world.clause('W2 receives a version conflict with the new head', async () => {
    expect(await second.append([call(2), result(2)], { expect: v })).toMatchObject({
      ok: false,
      code: 'moved-on',
      expected: v,
      actual: written.revision,
    })
    expect(await transcript(first)).toEqual(['U1', 'A1', 'T1', 'R1'])
  })
})

scenario('B178', 'retry and undo rewrite the transcript and delete what was archived', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 10)
  sure(await compact(S, { keep: 2 }))
  await appendTurns(S, 11, 11)
  const retry = async (): Promise<void> => {
    sure(await S.rewind({ to: 'U11' }))
    sure(await S.append({ ...answer(11), id: 'A11 anew' }))
  }
  const undo = async (): Promise<void> => {
    sure(await S.rewind({ to: 'A10' }))
    sure(await S.undo())
  }
  const edit = async (): Promise<void> => {
    sure(await S.edit('U11', { text: 'Asked in other words.' }))
  }
  for (const change of [retry, undo, edit]) {
    await change()
    await world.clause('U1..A10 still shown in all three cases', async () => {
      expect((await transcript(S)).slice(0, 21)).toEqual([...ids(1, 10), 'U11'])
    })
  }
})

scenario('B179', 'the end-of-turn save writes the shorter list over the longer', async (world) => {
  await appendTurns(await start(world.first, 'S'), 1, 11)
  const blind = await open(await world.restart(), 'S')
  sure(await blind.append(turn(12)))
  await world.clause('24 messages: saving appends, it never replaces', async () => {
    const resumed = await open(await world.restart(), 'S')
    expect(await transcript(resumed)).toEqual(ids(1, 12))
    expect(sure(await resumed.append(turnsFrom(12, 12)))).toMatchObject({ appended: 0, alreadyThere: 2 })
    expect(await transcript(resumed)).toHaveLength(24)
  })
})

scenario('B180', 'two writers from the same checkpoint both succeed', async (world) => {
  const S = await start(world.first, 'S')
  const second = await open(await world.engine(), 'S')
  const h = S.readUpTo
  const e1 = await S.append(question(1), { expect: h })
  const e2 = await second.append(question(2), { expect: h })
  const e0 = await second.append(question(3), { expect: h })
  await world.clause('e1 accepted', () => {
    expect(e1).toMatchObject({ ok: true, revision: h + 1 })
  })
  await world.clause('e2 and e0 refused', () => {
    for (const refused of [e2, e0]) expect(refused).toMatchObject({ ok: false, code: 'moved-on', actual: h + 1 })
  })
  await world.clause('head = e1', async () => {
    expect((await stored(S)).at(-1)).toMatchObject({ revision: h + 1, data: { id: 'U1' } })
  })
})

scenario('B181', 'two records of one step get the same key and the second replaces the first', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append(turn(1)))
  sure(await S.append({ ...question(2), at: 5_000 }))
  sure(await S.append({ ...answer(2), at: 5_000 }))
  const all = await stored(S)
  await world.clause('Two distinct sequence numbers', () => {
    expect(all.map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4])
    expect(new Set(all.map(({ position }) => position)).size).toBe(5)
  })
  await world.clause('stable order', async () => {
    for (let time = 0; time < 100; time += 1) {
      expect(await transcript(S)).toEqual(ids(1, 2))
      expect((await S.events({ backwards: true, limit: 1 }))[0]).toEqual(all.at(-1))
    }
    expect(await stored(S)).toEqual(all)
  })
  await world.clause('insert never replaces', async () => {
    expect(await S.append({ ...answer(2), text: 'replaced?' })).toMatchObject({ ok: false, code: 'message-conflict' })
    expect(await stored(S)).toEqual(all)
  })
})

scenario('B182', "two concurrent 'pop last' calls return the same message and remove one", async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 2)
  const other = await open(await world.engine(), 'S')
  const base = S.readUpTo
  const popped = await Promise.all([S.rewind({ to: 'U2', base }), other.rewind({ to: 'U2', base })])
  await world.clause('Two different messages removed, or one call gets a conflict', async () => {
    const conflict = popped.find(({ ok }) => !ok)
    expect(popped.filter(({ ok }) => ok)).toHaveLength(1)
    expect(conflict).toMatchObject({ ok: false, code: 'moved-on', expected: base, actual: base + 1 })
    expect(await transcript(S)).toEqual(['U1', 'A1', 'U2'])
  })
})

scenario('B189', 'the list of conversations is written from each window’s own copy', async (world) => {
  const W1 = await world.engine()
  const created = await spawned(['--db', world.file, '--json', 'start', '--id', 'S2', '--title', 'second window'])
  expect(created.status).toBe(0)
  const S1 = await start(W1, 'S1')
  expect(await listed(W1)).toHaveLength(2)
  sure(await S1.rename('new name'))
  await W1.close()
  await world.clause('Both listed, S1 with its new name', async () => {
    const titles = (await rows(await world.restart())).map(({ id, title }) => ({ id, title }))
    expect(titles.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
      { id: 'S1', title: 'new name' },
      { id: 'S2', title: 'second window' },
    ])
  })
  await world.clause('the list can always be rebuilt from the sessions themselves', async () => {
    const before = await rows(world.first)
    const inMemory = await openEngine({ store: world.first.store, source: world.source })
    expect(await rows(inMemory)).toEqual(before)
    await inMemory.close()
  })
})
