import { join } from 'node:path'
import { expect } from 'vitest'
import type { Engine } from '@refold/engine'
import { call as refold } from '../cli/call.ts'
import { moved } from './exported.ts'
import { scenario } from './scenario.ts'
import {
  answer,
  appendTurns,
  compact,
  context,
  contextOf,
  open,
  question,
  rotate,
  rowOf,
  start,
  stored,
  storedOf,
  sure,
  transcriptOf,
  turn,
} from './words.ts'

const HOUR = 3_600_000

async function costOf(engine: Engine, session?: string, withDelegates = false): Promise<number> {
  const query = session === undefined ? {} : { session, withDelegates }
  return Number(sure(await engine.usage(query)).total.costUsd.toFixed(6))
}

/** What S cost by itself, and with its delegates. */
const both = async (engine: Engine): Promise<readonly number[]> => [
  await costOf(engine, 'S'),
  await costOf(engine, 'S', true),
]

scenario('B217', "a compacted conversation's cost stays at the first piece's value", async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 3)
  const spend = async (key: string, costUsd: number): Promise<void> => {
    sure(await S.recordUsage({ key, tokens: { input: 10 }, costUsd }))
  }
  await spend('one', 0.2)
  sure(await rotate(S, 'S2', { keep: 2 }))
  await spend('two', 0.3)
  sure(await rotate(S, 'S3'))
  await spend('three', 0.5)
  const F = await open(world.first, sure(await S.branch({ from: 'A3', id: 'F' })).session)
  sure(await F.recordUsage({ key: 'one', tokens: { input: 10 }, costUsd: 0.1 }))
  await world.clause('1.00, 0.10, 1.10', async () => {
    const costs = [await costOf(world.first, 'S'), await costOf(world.first, 'F'), await costOf(world.first)]
    expect(costs).toEqual([1, 0.1, 1.1])
  })
  await world.clause('identical through any id and after restart', async () => {
    const engine = await world.restart()
    for (const id of ['S', 'S2', 'S3']) expect(await costOf(engine, id)).toBe(1)
    expect(await costOf(engine, 'F')).toBe(0.1)
    expect((await rowOf(engine, 'S'))?.usage.costUsd).toBeCloseTo(1)
  })
  await world.clause('deleting a piece that was already billed does not change past totals unless asked', async () => {
    sure(await world.first.delete(['F']))
    expect(await costOf(world.first)).toBe(1.1)
  })
})

scenario('B219', "delegates' cost is missing from the parent, or counted twice after reload", async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.recordUsage({ key: 'own', tokens: {}, costUsd: 1 }))
  const D = await open(world.first, sure(await S.spawn({ id: 'D' })).session)
  sure(await D.recordUsage({ key: 'own', tokens: {}, costUsd: 2 }))
  const D2 = await open(world.first, sure(await D.spawn({ id: 'D2' })).session)
  sure(await D2.recordUsage({ key: 'own', tokens: {}, costUsd: 4 }))
  const before = await both(world.first)
  await world.clause('Own 1.00', () => {
    expect(before[0]).toBe(1)
  })
  await world.clause('including 7.00', () => {
    expect(before[1]).toBe(7)
  })
  await world.clause('unchanged by restart and by ending', async () => {
    const engine = await world.restart()
    expect(await both(engine)).toEqual([1, 7])
    sure(await (await open(engine, 'S')).report({ delegate: 'D', outcome: 'done', message: 'Done.' }))
    sure(await (await open(engine, 'D')).end({ reason: 'done' }))
    expect(await both(engine)).toEqual([1, 7])
    // The same request told again, by whichever program reloads it, is counted once.
    sure(await (await open(engine, 'D')).recordUsage({ key: 'own', tokens: {}, costUsd: 2 }))
    expect(await both(engine)).toEqual([1, 7])
  })
})

scenario('B220', 'history copied by resume or branch carries usage with it', async (world) => {
  const S = await start(world.first, 'S')
  for (let n = 1; n <= 5; n += 1)
    sure(await S.append([question(n), { ...answer(n), usage: { model: 'm', tokens: { output: 10 }, costUsd: 0.25 } }]))
  sure(await S.branch({ from: 'A5', id: 'F' }))
  sure(await S.branch({ from: 'A3', id: 'G' }))
  for (let resumes = 1; resumes <= 3; resumes += 1) {
    const resumed = await open(await world.restart(), 'S')
    sure(await resumed.append({ ...answer(5), usage: { model: 'm', tokens: { output: 10 }, costUsd: 0.25 } }))
  }
  await world.clause('Usage of the 5 turns counted once', async () => {
    expect(await costOf(world.first)).toBe(1.25)
    const { total, lines } = sure(await world.first.usage({ by: 'session' }))
    expect(total).toMatchObject({ output: 50 })
    expect(lines.filter(({ costUsd }) => costUsd > 0).map(({ group }) => group)).toEqual(['S'])
  })
})

scenario('B220', 'history imported from an export carries usage with it', async (world) => {
  const S = await start(world.first, 'S')
  for (let n = 1; n <= 5; n += 1) {
    const usage = { model: 'm', tokens: { output: 10 }, costUsd: 0.25 }
    sure(await S.append([question(n), { ...answer(n), usage }]))
  }
  sure(await S.branch({ from: 'A3', id: 'F' }))
  await world.clause('Usage of the 5 turns counted once', async () => {
    expect(await moved(world, ['S'], world.file)).toMatchObject({ events: 0 })
    expect(await costOf(world.first)).toBe(1.25)
    const other = join(world.folder, 'other.db')
    for (const session of ['S', 'F', 'S']) await moved(world, [session], other)
    const { json } = await refold(['--db', other, '--json', 'usage'])
    expect(json).toEqual((await refold(['--db', world.file, '--json', 'usage'])).json)
  })
})

scenario('B221', "branching, compacting or retrying stamps every message with 'now'", async (world) => {
  const S = await start(world.first, 'S')
  const t0 = world.source.now()
  world.source.advance(HOUR)
  await appendTurns(S, 1, 2)
  sure(await S.append(turn(3).map((message) => ({ ...message, at: t0 + HOUR }))))
  world.source.advance(2 * HOUR)
  sure(await compact(S, { keep: 2 }))
  sure(await rotate(S, 'S2'))
  const F = await open(world.first, sure(await S.branch({ from: 'A3', id: 'F' })).session)
  await world.clause('Original times kept', async () => {
    for (const session of [S, F]) {
      const { entries } = await transcriptOf(session)
      const times = entries.filter(({ kind }) => kind === 'message').map(({ at }) => at)
      expect(times).toEqual(Array.from({ length: 6 }, () => t0 + HOUR))
    }
    expect(await rowOf(world.first, 'S')).toMatchObject({ startedAt: t0, lastActivityAt: t0 + HOUR })
  })
  await world.clause('time of the operation is recorded on its own event', async () => {
    for (const type of ['Compacted', 'Rotated'] as const)
      expect(await storedOf(S, type)).toMatchObject([{ recordedAt: t0 + 3 * HOUR }])
    expect((await stored(F))[0]).toMatchObject({ type: 'SessionStarted', recordedAt: t0 + 3 * HOUR })
    const marks = (await transcriptOf(S)).entries.filter(({ kind }) => kind !== 'message')
    expect(marks.map(({ kind, at }) => [kind, at])).toEqual([
      ['compaction', t0 + 3 * HOUR],
      ['rotation', t0 + 3 * HOUR],
    ])
  })
})

scenario('B221', "export and import stamp every message with 'now'", async (world) => {
  const S = await start(world.first, 'S')
  world.source.advance(HOUR)
  await appendTurns(S, 1, 3)
  const other = join(world.folder, 'other.db')
  await moved(world, ['S'], other)
  await world.clause('Original times kept', async () => {
    for (const words of [['show', 'S'], ['list']]) {
      const there = await refold(['--db', other, '--json', ...words])
      expect(there.json).toEqual((await refold(['--db', world.file, '--json', ...words])).json)
    }
  })
})

scenario('B222', 'deleting leaves no trace of who deleted what and when', async (world) => {
  const S = await start(world.first, 'S', { title: 'okapi title' })
  sure(await S.append({ id: 'U1', role: 'user', text: 'okapi words' }))
  for (const id of ['D1', 'D2']) sure(await S.spawn({ id, task: 'okapi task' }))
  world.source.advance(HOUR)
  const u1 = { kind: 'person', id: 'u1' } as const
  const { deletionId } = sure(await world.first.delete(['S'], { actor: u1, reason: 'asked for by its owner' }))
  await world.clause('A content-free record: id, time, actor, reason, counts', async () => {
    // A deleted session is still found by its id, and its log ends with the record.
    const [record] = await storedOf(await open(await world.restart(), 'S'), 'Deleted')
    expect(record).toMatchObject({
      stream: expect.stringContaining('.S'),
      recordedAt: world.source.now(),
      actor: u1,
      data: { deletionId, seed: 'S', along: ['D1', 'D2'], reason: 'asked for by its owner' },
    })
    expect(JSON.stringify(record)).not.toContain('okapi')
  })
})

scenario('B223', "sessions stop without an end reason, or stay 'thinking' for ever", async (world) => {
  const S = await start(world.first, 'S')
  const { turn: id } = sure(await S.startTurn({ turn: 'thinking', leaseMs: 60_000 }))
  sure(await S.append(question(1), { turn: id }))
  const T = await start(world.first, 'T')
  sure(await T.append(turn(1)))
  sure(await T.end({ reason: 'task finished' }))
  const engine = await world.restart()
  expect(await rowOf(engine, 'S')).toMatchObject({ status: 'running', turn: { id: 'thinking' } })
  world.source.advance(60_001)
  await world.clause("S is shown as 'interrupted' (derived from an expired lease), not running", async () => {
    expect(await rowOf(engine, 'S')).toMatchObject({ status: 'interrupted', turn: null })
  })
  await world.clause("T 'ended' with reason", async () => {
    expect(await rowOf(engine, 'T')).toMatchObject({ status: 'ended' })
    const { entries } = await transcriptOf(await open(engine, 'T'))
    expect(entries.at(-1)).toMatchObject({ kind: 'end', details: { reason: 'task finished', class: 'deliberate' } })
  })
  await world.clause('state can be explained from events', async () => {
    const [begun] = await storedOf(await open(engine, 'S'), 'TurnStarted')
    expect(begun).toMatchObject({ data: { turn: 'thinking', leaseMs: 60_000 } })
    expect(await storedOf(await open(engine, 'T'), 'Ended')).toMatchObject([{ data: { reason: 'task finished' } }])
  })
})

scenario('B224', 'compaction reports a negative saving', async (world) => {
  const S = await start(world.first, 'S')
  for (const n of [1, 2])
    sure(
      await S.append([
        { ...question(n), text: 'Hi.' },
        { ...answer(n), text: 'Hello.' },
      ]),
    )
  const before = await contextOf(S)
  const head = await world.first.store.logHead()
  const outcome = await compact(S, { keep: 0, summary: 'They said hello to each other. '.repeat(20) })
  await world.clause("Outcome 'no reduction' with honest sizes before and after", async () => {
    expect(outcome).toMatchObject({ ok: false, code: 'not-smaller', bytesBefore: before.bytes })
    expect(!outcome.ok && outcome.code === 'not-smaller' && outcome.bytesAfter).toBeGreaterThan(before.bytes)
  })
  await world.clause('the context does not grow and the result is not adopted', async () => {
    expect(await contextOf(S)).toEqual(before)
    expect(await context(S)).toEqual(['U1', 'A1', 'U2', 'A2'])
    expect(await world.first.store.logHead()).toEqual(head)
  })
})
