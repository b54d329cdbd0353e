import { expect } from 'vitest'
import type { MessageInput } from '@refold/engine'
import { placesOf } from '../search/found.ts'
import { scenario } from './scenario.ts'
import {
  answer,
  appendTurns,
  compact,
  context,
  contextOf,
  listed,
  open,
  question,
  rowOf,
  start,
  stored,
  storedOf,
  sure,
  toolTurn,
  transcript,
  transcriptOf,
  turn,
  turnsFrom,
} from './words.ts'

const HOUR = 3_600_000
const ids = (from: number, to: number): readonly string[] => turnsFrom(from, to).map(({ id }) => id ?? '')
const named = (message: MessageInput, id: string): MessageInput => ({ ...message, id })

scenario('B148', 'rewind promised a fork but moved the head in place', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 6)
  sure(await S.rewind({ to: 'A3' }))
  sure(await S.append(named(question(4), "U4'")))
  const resumed = await open(await world.restart(), 'S')
  const { entries } = await transcriptOf(resumed)
  const alternatives = entries.filter(({ kind }) => kind === 'alternative')
  const [alternative] = alternatives
  await world.clause('U4..A6 are still stored and can be restored or branched', async () => {
    expect(alternatives).toMatchObject([{ details: { messages: 6, reason: 'rewind' } }])
    const old = (await stored(resumed)).findLastIndex(({ type }) => type === 'Rewound') - 1
    sure(await resumed.branch({ from: 'A6', asOf: old, id: 'F' }))
    expect(await transcript(await open(world.first, 'F'))).toEqual(ids(1, 6))
    const { undoId } = sure(await resumed.undo(alternative?.id))
    expect(await transcript(resumed)).toEqual(ids(1, 6))
    sure(await resumed.undo(undoId))
  })
  await world.clause('hidden from the normal transcript and search', async () => {
    // The branch shows what the session does not.
    expect(await placesOf(world.first, '"Answer 6"')).toEqual(['F/A6'])
    expect(await placesOf(world.first, '"Answer 6"', { session: 'S' })).toEqual([])
    expect(await transcript(resumed)).toEqual([...ids(1, 3), "U4'"])
    expect(await context(resumed)).toEqual([...ids(1, 3), "U4'"])
  })
})

scenario('B149', 'undo after compaction removes the summary itself', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 10)
  sure(await compact(S, { keep: 2 }))
  await appendTurns(S, 11, 11)
  sure(await S.rewind({ to: 'A10' }))
  await world.clause('After undo 1: U10/A10 last', async () => {
    expect((await transcript(S)).slice(-2)).toEqual(['U10', 'A10'])
    expect(await context(S)).toEqual(['summary', 'U10', 'A10'])
  })
  sure(await S.rewind({ to: 'A9' }))
  sure(await S.rewind({ to: 'A8' }))
  await world.clause(
    "After reaching U9's point the context is built from the original messages before it, no summary of later text",
    async () => {
      expect(await context(S)).toEqual(ids(1, 8))
      expect(await transcript(S)).toEqual(ids(1, 8))
    },
  )
  await world.clause('Undo-compaction restores the exact pre-compaction context', async () => {
    const before = await contextOf(S)
    sure(await compact(S, { keep: 2 }))
    expect(await context(S)).toEqual(['summary', 'U8', 'A8'])
    sure(await S.undoCompaction())
    const { messages, digest, bytes } = await contextOf(await open(await world.restart(), 'S'))
    expect({ messages, digest, bytes }).toEqual({
      messages: before.messages,
      digest: before.digest,
      bytes: before.bytes,
    })
  })
})

scenario('B150', 'after a turn without an answer every later undo is refused for ever', async (world) => {
  const S = await start(world.first, 'S')
  const { turn: failed } = sure(await S.startTurn({ turn: 'turn-1' }))
  sure(await S.append(question(1), { turn: failed }))
  sure(await S.endTurn(failed, { outcome: 'failed' }))
  sure(await S.append(turn(2)))
  await world.clause('Both work', async () => {
    const { undoId } = sure(await S.rewind({ to: 'U1', base: S.readUpTo }))
    expect(await transcript(S)).toEqual(['U1'])
    expect(undoId).not.toBe('')
    // Retry: the person's last message is sent again, and answered anew.
    sure(await S.append(turn(3)))
    sure(await S.rewind({ to: 'U3' }))
    sure(await S.append(named(answer(3), 'A3 anew')))
    expect(await transcript(S)).toEqual(['U1', 'U3', 'A3 anew'])
  })
  await world.clause(
    'a compare-and-set guard that fails leads to a reload and a second try, not to a permanent refusal',
    async () => {
      const other = await open(await world.engine(), 'S')
      const behind = other.readUpTo
      sure(await S.append(turn(4)))
      const refused = await other.rewind({ to: 'A3 anew', base: behind })
      expect(refused).toMatchObject({ ok: false, code: 'moved-on' })
      await other.transcript()
      sure(await other.rewind({ to: 'A3 anew', base: other.readUpTo }))
      expect(await transcript(S)).toEqual(['U1', 'U3', 'A3 anew'])
    },
  )
})

scenario('B151', 'a branch copies the compacted view', async (world) => {
  const S = await start(world.first, 'S')
  for (let n = 1; n <= 60; n += 1) sure(await S.append(toolTurn(n)))
  sure(await compact(S, { keep: 4 }))
  for (let n = 61; n <= 62; n += 1) sure(await S.append(toolTurn(n)))
  const F = await open(world.first, sure(await S.branch({ from: 'A62', id: 'F' })).session)
  const G = await open(world.first, sure(await S.branch({ from: 'A30', id: 'G' })).session)
  await world.clause('F: same transcript (62 turns) and same context as S', async () => {
    expect(await transcript(F)).toEqual(await transcript(S))
    expect(await transcript(F)).toHaveLength(62 * 4)
    const [own, origin] = [await contextOf(F), await contextOf(S)]
    expect(own.messages).toEqual(origin.messages)
    expect(own.digest).toBe(origin.digest)
  })
  const upTo30 = (await transcript(S)).slice(0, 30 * 4)
  await world.clause('G: 30 turns', async () => {
    expect(await transcript(G)).toEqual(upTo30)
    expect(upTo30.at(-1)).toBe('A30')
  })
  await world.clause('context built from originals up to A30 (compacted only if needed)', async () => {
    expect(await context(G)).toEqual(upTo30)
  })
})

scenario('B152', 'messages written to the original after the fork appear in the branch', async (world) => {
  const S = await start(world.first, 'S', { title: 'origin' })
  await appendTurns(S, 1, 4)
  const F = await open(world.first, sure(await S.branch({ from: 'A4', id: 'F' })).session)
  sure(await S.append(question(5)))
  sure(await F.append({ id: 'V5', role: 'user', text: 'The branch asks something else.' }))
  const before = { transcript: await transcript(F), context: await contextOf(F), row: await rowOf(world.first, 'F') }
  sure(await S.rename('another name'))
  sure(await S.edit('U1', { text: 'Edited in the origin.' }))
  sure(await S.rewind({ to: 'A2' }))
  await world.restart()
  const [ownS, ownF] = [await open(world.first, 'S'), await open(world.first, 'F')]
  await world.clause('S: 2 turns', async () => {
    expect(await transcript(ownS)).toEqual(ids(1, 2))
  })
  await world.clause('F: 4 turns + V5, unaffected by anything done to S later', async () => {
    expect(before.transcript).toEqual([...ids(1, 4), 'V5'])
    expect(await transcript(ownF)).toEqual(before.transcript)
    expect(await contextOf(ownF)).toEqual(before.context)
    expect(await rowOf(world.first, 'F')).toEqual(before.row)
  })
})

scenario('B154', 'the branch point is off by one, or an unknown id copies everything', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 5)
  const { compaction } = sure(await compact(S, { keep: 4 }))
  await world.clause('First ends with A4', async () => {
    const F = await open(world.first, sure(await S.branch({ from: 'A4' })).session)
    expect(await transcript(F)).toEqual(ids(1, 4))
  })
  await world.clause('the other two are refused with typed errors', async () => {
    const before = await listed(world.first)
    for (const from of ['no-such-message', compaction])
      expect(await S.branch({ from })).toMatchObject({ ok: false, code: 'message-not-found', messageId: from })
    expect(await listed(world.first)).toEqual(before)
  })
})

scenario('B155', 'a branch opened in another folder is empty', async (world) => {
  const S = await start(world.first, 'S', { workspace: '/W1', model: 'large' })
  await appendTurns(S, 1, 4)
  sure(await S.branch({ from: 'A4', id: 'F', workspace: '/W2' }))
  sure(await S.branch({ from: 'A4', id: 'G', model: 'small' }))
  await world.restart()
  await world.clause('F has the 4 turns and cwd W2', async () => {
    expect(await transcript(await open(world.first, 'F'))).toEqual(ids(1, 4))
    expect(await rowOf(world.first, 'F')).toMatchObject({ workspace: '/W2', model: 'large' })
    expect(await listed(world.first, { workspace: '/W2' })).toEqual(['F'])
  })
  await world.clause('S stays under W1', async () => {
    expect((await listed(world.first, { workspace: '/W1' })).toSorted()).toEqual(['G', 'S'])
    expect(await rowOf(world.first, 'G')).toMatchObject({ workspace: '/W1', model: 'small' })
  })
})

scenario('B156', 'a conversation the user had reset is revived from an old routing entry', async (world) => {
  const old = await start(world.first, 'T')
  const first = sure(await old.bindRoute({ route: 'R' }))
  sure(await old.append(turn(1)))
  world.source.advance(26 * 24 * HOUR)
  const S = await start(world.first, 'S')
  sure(await S.bindRoute({ route: 'R', takeOver: first.generation }))
  await appendTurns(S, 1, 5)
  const kept = await world.first.route('R')
  sure(await world.first.start({ id: 'S-anew', resetOf: 'S' }))
  const engine = await world.restart()
  await world.clause('A new session each time', async () => {
    const { session, generation } = await engine.route('R')
    expect(session).toBe('S-anew')
    const anew = await open(engine, session ?? '')
    expect(sure(await anew.append(question(6), { route: { route: 'R', generation } })).session).toBe('S-anew')
    expect(await transcript(anew)).toEqual(['U6'])
  })
  await world.clause('S stays ended, still listed and resumable on request', async () => {
    expect(await rowOf(engine, 'S')).toMatchObject({ status: 'ended' })
    expect(await listed(engine)).toContain('S')
    const left = await open(engine, 'S')
    expect(await left.append(question(7))).toMatchObject({ ok: false, code: 'session-ended' })
    expect(await rowOf(engine, 'S')).toMatchObject({ status: 'ended', messages: 10 })
    sure(await left.append(question(7), { reopen: true }))
    expect(await transcript(left)).toHaveLength(11)
  })
  await world.clause('recovery never jumps over a deliberate boundary', async () => {
    for (const [id, generation] of [
      ['T', first.generation],
      ['S', kept.generation],
    ] as const)
      expect(await (await open(engine, id)).append(question(8), { route: { route: 'R', generation } })).toMatchObject({
        ok: false,
        code: 'route-generation',
      })
    expect((await engine.route('R')).session).toBe('S-anew')
  })
})

/* The policy (fresh after an hour) is the host's; what it needs is a mark that goes by itself and a reset that is one step. */
scenario('B157', "a 'resume pending' mark left by a crash is never cleared", async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.bindRoute({ route: 'R' }))
  const { turn: pending } = sure(await S.startTurn({ leaseMs: HOUR / 2 }))
  sure(await S.append(question(1), { turn: pending }))
  expect(await rowOf(world.first, 'S')).toMatchObject({ status: 'running', turn: { id: pending } })
  const engine = await world.restart()
  world.source.advance(2 * HOUR)
  await world.clause('the mark expires or is cleared by any outcome', async () => {
    expect(await rowOf(engine, 'S')).toMatchObject({ status: 'interrupted', turn: null })
    const resumed = await open(engine, 'S')
    for (const outcome of ['failed', 'cancelled', 'done'] as const) {
      const { turn: next } = sure(await resumed.startTurn({ turn: `again ${outcome}` }))
      sure(await resumed.endTurn(next, { outcome }))
      expect(await rowOf(engine, 'S')).toMatchObject({ status: 'waiting', turn: null })
    }
    world.source.advance(2 * HOUR)
  })
  await world.clause('U2 starts fresh per policy', async () => {
    const route = await engine.route('R')
    const row = await rowOf(engine, route.session ?? '')
    expect(world.source.now() - (row?.lastActivityAt ?? 0)).toBeGreaterThan(HOUR)
    const fresh = sure(await engine.start({ resetOf: 'S', id: 'fresh' })).handle
    const now = await engine.route('R')
    sure(await fresh.append(question(2), { route: { route: 'R', generation: now.generation } }))
    expect(now).toEqual({ session: 'fresh', generation: route.generation + 1 })
    expect(await transcript(fresh)).toEqual(['U2'])
    expect(await context(fresh)).toEqual(['U2'])
  })
})

scenario('B161', 'a new compaction empties the payload of older ones', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 6)
  const first = sure(await compact(S, { keep: 0, summary: 'C1: valves one to six.' }))
  await appendTurns(S, 7, 12)
  const between = await contextOf(S)
  const before = await stored(S)
  sure(await compact(S, { keep: 0, summary: 'C2: valves one to twelve.' }))
  sure(await S.branch({ from: 'A9', id: 'F' }))
  await world.clause("C1's summary + messages after it", async () => {
    const { messages } = await contextOf(await open(world.first, 'F'))
    // What C1 kept, so that a person's words stand in the context, belongs to C1.
    expect(first.kept).toEqual(['U6'])
    expect(messages.map(({ id }) => id)).toEqual([first.compaction, 'U6', ...ids(7, 9)])
    expect(messages[0]).toMatchObject({ standsFor: 'summary', parts: [{ text: 'C1: valves one to six.' }] })
  })
  await world.clause('nothing that is still reachable is ever changed', async () => {
    expect((await stored(S)).slice(0, before.length)).toEqual(before)
    expect(await contextOf(S, between.revision)).toEqual(between)
  })
})

/* There are no reply-to ids that could be temporary: a message stands behind what was appended before it. */
scenario('B162', 'replies attached to temporary ids are missing after reload', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append(question(1)))
  await world.clause('Temporary ids are mapped or refused', async () => {
    const growing = { ...answer(1), text: 'Answer 1: valve', partial: 1 }
    sure(await S.append(growing))
    sure(await S.append(question(2)))
    sure(await S.append(answer(1)))
    expect(await transcript(S)).toEqual(['U1', 'A1', 'U2'])
    expect(await S.rewind({ to: 'temporary-A1' })).toMatchObject({ ok: false, code: 'message-not-found' })
    expect(await S.branch({ from: 'temporary-A1' })).toMatchObject({ ok: false, code: 'message-not-found' })
  })
  const toSecond = sure(await S.rewind({ to: 'start' }))
  sure(await S.append([named(question(1), "U1'"), named(answer(1), "A1'")]))
  const toFirst = sure(await S.undo(toSecond.undoId))
  const resumed = await open(await world.restart(), 'S')
  await world.clause('the selected branch is the one chosen before restart', async () => {
    expect(await transcript(resumed)).toEqual(['U1', 'A1', 'U2'])
    expect(await context(resumed)).toEqual(['U1', 'A1', 'U2'])
  })
  await world.clause('both branches complete', async () => {
    const back = sure(await resumed.undo(toFirst.undoId))
    expect(await transcript(resumed)).toEqual(["U1'", "A1'"])
    sure(await resumed.undo(back.undoId))
    expect(await transcript(resumed)).toEqual(['U1', 'A1', 'U2'])
    expect(await storedOf(resumed, 'MessageAppended')).toHaveLength(6)
  })
})
