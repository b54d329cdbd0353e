import type { SessionHandle } from '@refold/engine'
import { expect } from 'vitest'
import { placesOf } from '../search/found.ts'
import { scenario } from './scenario.ts'
import {
  appendTurns,
  compact,
  context,
  honestCompaction,
  listed,
  open,
  question,
  rotate,
  rowOf,
  rows,
  start,
  stored,
  storedMessages,
  storedOf,
  sure,
  transcript,
  turn,
} from './words.ts'

scenario('B001', 'a route that points at the old id after a rotation', async (world) => {
  const S = await start(world.first, 'S')
  const bound = sure(await S.bindRoute({ route: 'chat 7' }))
  await appendTurns(S, 1, 4)
  sure(await rotate(S, 'S2', { keep: 2 }))
  const R = await open(world.first, (await world.first.route('chat 7')).session ?? '')
  const u5 = sure(await R.append(question(5), { route: { route: 'chat 7', generation: bound.generation } }))
  await world.clause('U5 is stored once, in the live segment', async () => {
    expect(u5).toMatchObject({ appended: 1, landedIn: 'S2' })
    expect((await storedMessages(S)).filter((id) => id === 'U5')).toEqual(['U5'])
  })
  await world.clause('model context through R ends with U5', async () => {
    expect((await context(R)).at(-1)).toBe('U5')
  })
  await world.clause('transcript asked for by S or S2 is the same list and contains U5', async () => {
    const whole = ['U1', 'A1', 'U2', 'A2', 'U3', 'A3', 'U4', 'A4', 'U5']
    expect(await transcript(S)).toEqual(whole)
    expect(await transcript(await open(world.first, 'S2'))).toEqual(whole)
  })
  await world.clause('nothing is ever appended to the closed segment', async () => {
    const events = (await stored(S)).map(({ type }) => type)
    expect(events.slice(events.indexOf('Rotated'))).toEqual(['Rotated', 'MessageAppended'])
    expect(u5.landedIn).toBe('S2')
  })
})

scenario('B002', 'two writers that rotate the same segment', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 6)
  const W2 = await open(await world.engine(), 'S')
  sure(await rotate(S, 'S2', { keep: 2, from: 'S' }))
  const second = await rotate(W2, 'S2-of-W2', { from: 'S' })
  await world.clause(
    "The second rotation is refused with a typed 'already continued by S2' result (or transparently applies to S2)",
    () => expect(second).toMatchObject({ ok: false, code: 'already-rotated', winner: 'S2', segment: 'S' }),
  )
  await world.clause('S never has two compaction continuations', async () => {
    expect(sure(await S.lineage()).segments).toEqual(['S', 'S2'])
    expect(await storedOf(S, 'Rotated')).toHaveLength(1)
  })
  await world.clause("W2's next append lands in S2", async () => {
    expect(sure(await W2.append(question(7)))).toMatchObject({ landedIn: 'S2', appended: 1 })
    expect((await transcript(S)).at(-1)).toBe('U7')
  })
})

// Refold knows nothing of a compaction that is only being thought about: any number may be begun, and the first to be
// written makes the others stale before they write anything.
scenario('B003', 'a burst of messages that each ask for a compaction', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 10)
  const C1 = await honestCompaction(S, { keep: 2 })
  const others = []
  for (const n of [11, 12, 13]) {
    sure(await S.append(question(n)))
    others.push(await honestCompaction(S, { keep: 2, summary: `Asked for by U${n}.` }))
  }
  const first = await S.compact(C1)
  const late = await Promise.all(others.map((other) => S.compact(other)))
  await world.clause('At most one compaction is in flight per session', async () => {
    expect(sure(first).kept).toEqual(['U10', 'A10'])
    expect(await storedOf(S, 'Compacted')).toHaveLength(1)
  })
  await world.clause('later requests are coalesced or deferred', () => {
    for (const one of late) expect(one).toMatchObject({ ok: false, code: 'stale-compaction', because: 'Compacted' })
  })
  await world.clause('U11-U13 all survive after the watermark in arrival order', async () => {
    expect(await context(S)).toEqual(['summary', 'U10', 'A10', 'U11', 'U12', 'U13'])
    expect((await transcript(S)).slice(-3)).toEqual(['U11', 'U12', 'U13'])
  })
  await world.clause('exactly one live tip', async () => {
    expect((await rows(world.first)).map(({ id, tip }) => [id, tip])).toEqual([['S', 'S']])
  })
})

scenario('B004', 'a viewer that ends what it only looked at', async (world) => {
  const S = await start(world.first, 'S')
  const P2 = await open(await world.engine(), 'S')
  await appendTurns(S, 1, 6)
  await P2.transcript()
  sure(await P2.end({ reason: 'viewer shutdown', class: 'accident' }))
  const u7 = sure(await S.append(question(7)))
  await world.clause(
    'A viewer leaving does not end a session somebody else owns (or the end is cleared by the next append)',
    async () => {
      expect(u7.events).toEqual(['Reopened', 'MessageAppended'])
      expect(await rowOf(world.first, 'S')).toMatchObject({ status: 'waiting' })
    },
  )
  const summaries = ['Seven questions about valves so far.', 'Seven questions about valves.', 'Questions.', 'Q.']
  const written: (readonly string[])[] = []
  for (const summary of summaries) written.push(sure(await compact(S, { keep: 2, summary })).events)
  await world.clause('compaction succeeds', () => {
    expect(written).toEqual([['Compacted'], ['Compacted'], ['Compacted'], ['Compacted']])
  })
  await world.clause('message count grows only by real messages', async () => {
    expect(await rowOf(world.first, 'S')).toMatchObject({ messages: 13 })
    expect(await storedMessages(S)).toHaveLength(13)
  })
  await world.clause('no duplicates after 3 repeats', async () => {
    expect(await transcript(S)).toEqual([...(await storedMessages(S))])
    expect(new Set(await storedMessages(S)).size).toBe(13)
    expect(await context(S)).toEqual(['summary', 'A6', 'U7'])
  })
})

scenario('B005', 'an old end that blocks compaction, and a late compaction that revives', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 8)
  sure(await S.end({ reason: 'idle cleanup' }))
  sure(await S.reopen())
  sure(await S.append(question(9)))
  await world.clause('S compacts normally after reopen', async () => {
    expect(sure(await compact(S, { keep: 1 })).kept).toEqual(['U9'])
    expect(await context(S)).toEqual(['summary', 'U9'])
  })
  const D = await start(world.first, 'D')
  await appendTurns(D, 1, 8)
  const begun = await honestCompaction(D, { keep: 1 })
  sure(await (await open(await world.engine(), 'D')).end({ reason: 'user closed' }))
  const late = await D.compact(begun)
  await world.clause(
    'D stays closed: the late compaction result is dropped or stored without making D live again, and D does not appear as active',
    async () => {
      expect(late).toMatchObject({ ok: false, code: 'session-ended', reason: 'user closed' })
      expect(await rowOf(world.first, 'D')).toMatchObject({ status: 'ended', turn: null })
      expect(await storedOf(D, 'Compacted')).toEqual([])
    },
  )
})

scenario('B006', 'a crash between closing the parent and creating the child', async (world) => {
  const { engine, store } = await world.breakableEngine()
  const S = await start(engine, 'S')
  await appendTurns(S, 1, 6)
  store.breakNext('before')
  await expect(rotate(S, 'S2', { keep: 2 })).rejects.toThrow('killed')
  const again = await open(await world.restart(), 'S')
  await world.clause(
    'U7 is accepted: either the close was never visible (atomic) or S is reopened because no child and no active lease exist',
    async () => {
      expect(sure(await again.append(question(7)))).toMatchObject({ landedIn: 'S', events: ['MessageAppended'] })
      expect(sure(await again.lineage()).segments).toEqual(['S'])
    },
  )
  const R = await start(world.first, 'R')
  for (const segment of ['R2', 'R3', 'R4']) sure(await rotate(R, segment))
  await world.clause('Append to R lands in R4 (transitive resolution, any number of hops)', async () => {
    for (const [n, name] of ['R', 'R2', 'R3', 'R4'].entries()) {
      const stale = await open(world.first, name)
      expect(sure(await stale.append(question(n)))).toMatchObject({ session: 'R', landedIn: 'R4', appended: 1 })
    }
  })
})

scenario('B007', 'a rotation whose new row was never saved', async (world) => {
  const { engine, store } = await world.breakableEngine()
  const S = await start(engine, 'S')
  await appendTurns(S, 1, 6)
  store.breakNext('before')
  await expect(rotate(S, 'segment-two')).rejects.toThrow('killed')
  await world.clause('The failed rotation leaves S live and unchanged', async () => {
    expect(await storedMessages(S)).toHaveLength(12)
    expect(await rowOf(world.first, 'S')).toMatchObject({ tip: 'S', segments: ['S'], status: 'waiting', messages: 12 })
  })
  const u7 = sure(await S.append(question(7)))
  await world.clause('U7 is stored in S, listed and found', async () => {
    expect(u7.landedIn).toBe('S')
    expect((await transcript(S)).at(-1)).toBe('U7')
    expect((await rows(world.first)).map(({ id, messages }) => [id, messages])).toEqual([['S', 13]])
    expect(await placesOf(world.first, '"Question 7"')).toEqual(['S/U7'])
  })
  await world.clause('no reference to S2 exists anywhere', async () => {
    expect(await world.first.session('segment-two')).toMatchObject({ code: 'session-not-found' })
    expect(JSON.stringify(await world.first.store.readAll({ limit: 1_000 }))).not.toContain('segment-two')
    expect(await world.first.start({ id: 'segment-two' })).toMatchObject({ ok: true })
  })
})

const goalOf = async (session: SessionHandle) =>
  sure(await session.settings()).flatMap((setting) => (setting.key === 'goal' ? [setting.value] : []))

scenario('B008', 'a goal that vanishes with the first rotation', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.set({ key: 'goal', value: 'Ship the manual' }))
  await appendTurns(S, 1, 6)
  sure(await rotate(S, 'S2', { keep: 2 }))
  await world.clause('Goal G is visible through every id of the lineage after one or many rotations', async () => {
    for (const name of ['S', 'S2']) expect(await goalOf(await open(world.first, name))).toEqual(['Ship the manual'])
    sure(await rotate(S, 'S3'))
    for (const name of ['S', 'S2', 'S3'])
      expect(await goalOf(await open(world.first, name))).toEqual(['Ship the manual'])
  })
  sure(await S.branch({ from: 'A6', id: 'F' }))
  sure(await S.spawn({ id: 'D' }))
  await world.clause('a branch or delegate does not inherit an active goal unless asked', async () => {
    for (const name of ['F', 'D']) {
      const heir = await open(world.first, name)
      expect((await goalOf(heir)).filter((value) => value !== null)).toEqual([])
      sure(await heir.set({ key: 'goal', value: 'Ship the manual' }))
      expect(await goalOf(heir)).toEqual(['Ship the manual'])
    }
  })
  sure(await (await open(world.first, 'S2')).set({ key: 'goal', value: null }))
  sure(await rotate(S, 'S4'))
  await world.clause('clearing it once clears it for all', async () => {
    for (const name of ['S', 'S2', 'S3', 'S4'])
      expect((await goalOf(await open(world.first, name))).filter((value) => value !== null)).toEqual([])
  })
})

scenario('B009', 'continuations without a working directory', async (world) => {
  const S = await start(world.first, 'S', { workspace: '/home/ada/manual' })
  const N = await start(world.first, 'N')
  for (const session of [S, N]) {
    await appendTurns(session, 1, 6)
    sure(await rotate(session, `${session.id}2`, { keep: 4 }))
    sure(await compact(session, { keep: 2 }))
    sure(await rotate(session, `${session.id}3`))
  }
  await world.clause('cwd W is reported for the conversation through every id', async () => {
    expect(await listed(world.first, { workspace: '/home/ada/manual' })).toEqual(['S'])
    for (const name of ['S', 'S2', 'S3'])
      expect(await rowOf(world.first, (await open(world.first, name)).id)).toMatchObject({
        workspace: '/home/ada/manual',
      })
  })
  await world.clause('a session that never had a cwd stays without one', async () => {
    for (const name of ['N', 'N2', 'N3'])
      expect(await rowOf(world.first, (await open(world.first, name)).id)).toMatchObject({ workspace: null })
  })
})

scenario('B011', 'flags that a continuation drops', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.pin())
  sure(await S.set({ key: 'hidden', value: true }))
  await appendTurns(S, 1, 6)
  sure(await rotate(S, 'S2', { keep: 2 }))
  const S2 = await open(world.first, 'S2')
  await world.clause(
    'Flags belong to the conversation: the tip is pinned and hidden right after rotation',
    async () => {
      expect(await rowOf(world.first, S2.id)).toMatchObject({ tip: 'S2', pinned: true, hidden: true })
      expect(await listed(world.first)).toEqual([])
    },
  )
  sure(await S2.unpin())
  await world.clause('a change through any id is seen through all', async () => {
    expect(await rowOf(world.first, S.id)).toMatchObject({ pinned: false, hidden: true })
    sure(await S.set({ key: 'hidden', value: false }))
    expect(await rowOf(world.first, S2.id)).toMatchObject({ pinned: false, hidden: false })
  })
})

scenario('B012', 'a session that falls out of its project', async (world) => {
  const S = await start(world.first, 'S', { workspace: 'project P' })
  const before = sure(await world.first.list({ workspace: 'project P' })).total
  await appendTurns(S, 1, 6)
  sure(await rotate(S, 'S2', { keep: 2 }))
  await world.clause('One row, for the tip, under P', async () => {
    const { sessions } = sure(await world.first.list({ workspace: 'project P' }))
    expect(sessions.map(({ id, tip }) => [id, tip])).toEqual([['S', 'S2']])
  })
  await world.clause('count for P is unchanged by rotation', async () => {
    expect(before).toBe(1)
    expect(sure(await world.first.list({ workspace: 'project P' })).total).toBe(1)
  })
})

/** A session's log without what names the session or is drawn at random. */
async function shapeOf(session: SessionHandle): Promise<readonly string[]> {
  return (await stored(session)).map(({ type, data }) =>
    JSON.stringify([type, data])
      .replace(session.id, 'S')
      .replace(/"(compactionId|held)":"[^"]+"/gu, ''),
  )
}

scenario('B013', 'a tail stored again under another source', async (world) => {
  const chat = { kind: 'agent', id: 'gateway', surface: 'chat-app' } as const
  const gateway = await world.engine({ actor: chat })
  const helper = await world.engine({ actor: { kind: 'person', id: 'ada', surface: 'cli' } })
  const sessions = { explicit: helper, automatic: gateway }
  for (const [id, compactor] of Object.entries(sessions)) {
    const session = await start(gateway, id, { surface: 'chat-app' })
    await appendTurns(session, 1, 6)
    sure(await compact(await open(compactor, id), { keep: 2 }))
    sure(await session.append(turn(7)))
    // The host saves its whole list at the end of the turn, the kept tail included, through the helper, too.
    for (const writer of [session, await open(compactor, id)]) sure(await writer.append([6, 7].flatMap((n) => turn(n))))
  }
  const S = await open(gateway, 'explicit')
  await world.clause('Each message exists once', async () => {
    expect(await storedMessages(S)).toEqual([1, 2, 3, 4, 5, 6, 7].flatMap((n) => [`U${n}`, `A${n}`]))
  })
  await world.clause("all carry source 'chat-app'", async () => {
    for (const { actor } of await storedOf(S, 'MessageAppended')) expect(actor.surface).toBe('chat-app')
  })
  await world.clause('explicit and automatic compaction yield identical stored state', async () => {
    expect(await shapeOf(S)).toEqual(await shapeOf(await open(gateway, 'automatic')))
  })
})
