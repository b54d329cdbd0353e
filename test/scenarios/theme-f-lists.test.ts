import { expect } from 'vitest'
import { scenario, waiting } from './scenario.ts'
import { appendTurns, listed, open, question, rotate, rowOf, rows, start, sure, transcript, turn } from './words.ts'

const HOUR = 3_600_000

scenario('B115', 'the tip of a 50-link chain is missing from the sidebar', async (world) => {
  const S = await start(world.first, 'S', { title: 'long chain' })
  for (let n = 1; n <= 50; n += 1) {
    world.source.advance(HOUR)
    sure(await S.append(turn(n)))
    sure(await rotate(S, `S${n + 1}`))
  }
  const list = await rows(world.first)
  await world.clause('One row: tip id, its title, correct message count and last activity', async () => {
    expect(list).toMatchObject([{ tip: 'S51', title: 'long chain', messages: 100, lastActivityAt: world.source.now() }])
    expect((await open(world.first, 'S51')).id).toBe('S')
  })
})

scenario('B116', 'old row and new tip are both shown until restart', async (world) => {
  const S = await start(world.first, 'S')
  const V = await world.engine()
  sure(await S.pin())
  const steps: readonly (() => Promise<unknown>)[] = [
    async () => undefined,
    () => appendTurns(S, 1, 6),
    async () => sure(await rotate(S, 'S2')),
    async () => sure(await S.append(question(7))),
  ]
  for (const step of steps) {
    await step()
    const seen = await rows(V)
    await world.clause('Always one row for the conversation, pinned', () => {
      expect(seen).toMatchObject([{ id: 'S', pinned: true }])
    })
    await world.clause('V equals the fresh list', async () => {
      const fresh = await world.engine()
      expect(seen).toEqual(await rows(fresh))
      await fresh.close()
    })
  }
})
waiting('B116', 'feed', 'V, kept open and told of changes row by row, equals the fresh list')

scenario('B118', 'branches are hidden because they have a parent, as delegates do', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 2)
  sure(await S.branch({ from: 'A1', id: 'F' }))
  sure(await S.spawn({ id: 'D' }))
  sure(await rotate(S, 'S2'))
  await world.clause("Default: S2's conversation and F.", async () => {
    expect((await rows(world.first)).map(({ tip }) => tip).toSorted()).toEqual(['F', 'S2'])
  })
  await world.clause('With children: plus D.', async () => {
    expect((await listed(world.first, { all: true })).toSorted()).toEqual(['D', 'F', 'S'])
  })
  await world.clause('Each edge has its own type.', async () => {
    const { segments, children } = sure(await S.lineage())
    expect(segments).toEqual(['S', 'S2'])
    expect(children).toEqual([
      { kind: 'branch', session: 'F' },
      { kind: 'delegate', session: 'D' },
    ])
  })
})

scenario('B119', "delegates use up the 'recent' slots", async (world) => {
  for (let n = 1; n <= 5; n += 1) {
    world.source.advance(1_000)
    sure(await (await start(world.first, `chat-${n}`)).append(turn(n)))
  }
  const parent = await open(world.first, 'chat-5')
  for (let n = 1; n <= 100; n += 1) {
    world.source.advance(1_000)
    const delegate = sure(await parent.spawn({ id: `delegate-${n}` })).session
    if (n % 20 === 0) sure(await (await open(world.first, delegate)).append(turn(n)))
  }
  const newest = ['chat-5', 'chat-4', 'chat-3', 'chat-2', 'chat-1']
  await world.clause('The 5 conversations', async () => {
    expect(sure(await world.first.list({ limit: 5 }))).toMatchObject({
      sessions: newest.map((id) => ({ id })),
      total: 5,
      cursor: null,
    })
  })
  await world.clause('delegates never consume limit or offset', async () => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = sure(await world.first.list({ limit: 2, ...(cursor === undefined ? {} : { cursor }) }))
      seen.push(...page.sessions.map(({ id }) => id))
      cursor = page.cursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toEqual(newest)
  })
})

scenario('B121', 'merely opening an old session moves it to the top', async (world) => {
  const A = await start(world.first, 'A')
  world.source.advance(HOUR)
  const B = await start(world.first, 'B')
  world.source.advance(HOUR)
  sure(await A.append(turn(1)))
  for (const step of [
    () => open(world.first, 'B'),
    () => transcript(B),
    () => B.context(),
    () => B.rename('renamed'),
    () => B.set({ key: 'model', value: 'other' }),
    () => B.pin(),
    () => B.set({ key: 'read-mark', value: 1 }),
  ]) {
    world.source.advance(HOUR)
    await step()
  }
  await world.restart()
  await world.clause(
    'Order A, B: recency = last human/assistant/tool message, not opens, renames or settings',
    async () => {
      expect(await listed(world.first)).toEqual(['A', 'B'])
      const before = await rowOf(world.first, 'B')
      expect(before?.lastActivityAt).toBe(before?.startedAt)
      world.source.advance(HOUR)
      sure(await (await open(world.first, 'B')).append({ id: 'R1', role: 'tool', toolCallId: 'x', text: 'done' }))
      expect(await listed(world.first)).toEqual(['B', 'A'])
    },
  )
})
