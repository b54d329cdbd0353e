import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { sessionStream } from '@refold/events'
import { doctorOfFile, viewsFileOf } from '@refold/engine'
import { call as refold } from '../cli/call.ts'
import { scenario } from './scenario.ts'
import { appendTurns, context, listed, open, rowOf, start, stored, sure, transcript, turn, turnsFrom } from './words.ts'

const ids = (from: number, to: number): readonly string[] => turnsFrom(from, to).map(({ id }) => id ?? '')
const stream = (session: string): string => sessionStream({ namespace: 'default', session })

scenario('B185', 'replay stalls because an event kind has no projector', async (world) => {
  const S = await start(world.first, 'S')
  const T = await start(world.first, 'T')
  for (const session of [S, T]) await appendTurns(session, 1, 2)
  const foreign = {
    id: 'f'.repeat(32),
    type: 'ThemePicked',
    version: 3,
    payload: '{"theme":"dark"}',
    recordedAt: world.source.now(),
    actor: { kind: 'agent', id: 'another program' } as const,
  }
  const head = S.readUpTo
  await world.first.store.append({ streams: [{ stream: stream('S'), expected: head, events: [foreign] }] })
  const appended = sure(await S.append(turn(3)))
  await world.clause('Unknown kinds are kept, skipped by projections and counted', async () => {
    const resumed = await open(await world.restart(), 'S')
    expect((await stored(resumed))[head + 1]).toMatchObject({
      type: 'ThemePicked',
      unknown: true,
      data: { theme: 'dark' },
    })
    expect(await transcript(resumed)).toEqual(ids(1, 3))
    expect(await context(resumed)).toEqual(ids(1, 3))
    expect(appended).toMatchObject({ unread: 1 })
    expect(resumed.readUpTo).toBe(head + 3)
  })
  await world.clause('the mismatch is refused and neither S nor T changes', async () => {
    const before = await world.first.store.logHead()
    for (const session of ['S', 'new']) {
      const facts = [
        { id: '1'.repeat(32), event: { type: 'SessionStarted', data: { session: 'T', origin: { kind: 'root' } } } },
      ] as const
      await expect(world.first.importFacts({ tool: 'legacy', sessions: [{ session, facts }] })).rejects.toMatchObject({
        code: 'append-malformed',
      })
    }
    expect(await world.first.store.logHead()).toEqual(before)
  })
})

scenario('B188', 'a session vanishes from its table with no deletion event', async (world) => {
  for (let n = 1; n <= 5; n += 1) sure(await (await start(world.first, `S${n}`)).append(turn(n)))
  expect(await listed(world.first)).toHaveLength(5)
  await world.first.close()
  const database = new Database(viewsFileOf(world.file))
  database.exec(`DELETE FROM tips WHERE session = 'S3'`)
  database.close()
  await world.clause("Check reports 'in log, not in list'", async () => {
    const { ok, findings } = await doctorOfFile(world.file)
    expect(ok).toBe(false)
    expect(findings).toMatchObject([{ code: 'row-missing', table: 'tips', session: 'S3' }])
  })
  await world.clause('rebuild restores it with all messages', async () => {
    const folded = await world.restart()
    expect(await listed(folded)).not.toContain('S3')
    expect(await stored(await open(folded, 'S3'))).toHaveLength(3)
    await folded.close()
    // Views are disposable: taking their file away is a rebuild.
    for (const side of ['', '-wal', '-shm']) rmSync(`${viewsFileOf(world.file)}${side}`, { force: true })
    const engine = await world.restart()
    expect((await listed(engine)).toSorted()).toEqual(['S1', 'S2', 'S3', 'S4', 'S5'])
    expect(await rowOf(engine, 'S3')).toMatchObject({ messages: 2 })
  })
  await world.clause('a real deletion always has an event', async () => {
    const doomed = await open(world.first, 'S4')
    sure(await world.first.delete(['S4']))
    expect(await listed(world.first)).not.toContain('S4')
    expect((await stored(doomed)).at(-1)).toMatchObject({ type: 'Deleted', data: { seed: 'S4' } })
  })
})

/*
 * Refold does not read around damage, on purpose: what it cannot read it says, in every view, by the event's place. What is lost is
 * said once, by the part that checks a store.
 */
scenario('B192', 'picker and model read on different sides of damage', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 25)
  const position = (await stored(S))[20]?.position ?? 0
  await world.first.close()
  const database = new Database(world.file)
  database.prepare('UPDATE events SET payload = ? WHERE position = ?').run('\0'.repeat(500), BigInt(position))
  database.close()
  const damage = { code: 'store-damaged', fields: { problem: `the event at position ${position} is no JSON` } }
  await world.clause('no view is silently shorter than another', async () => {
    const engine = await world.restart()
    await expect(engine.session('S')).rejects.toMatchObject(damage)
    await expect(engine.list()).rejects.toMatchObject(damage)
    for (const words of [['show', 'S'], ['context', 'S'], ['list']])
      expect(await refold(['--db', world.file, '--json', ...words])).toMatchObject({
        exit: 3,
        json: { error: { code: 'store-damaged' } },
      })
    // The store goes on taking what does not stand on the damage.
    const T = await start(engine, 'T')
    sure(await T.append(turn(26)))
    expect(await stored(T)).toHaveLength(3)
  })
  // Otherwise on purpose: the one rule of all three is to refuse, above. What is readable on both sides is there, in the log.
  await world.clause(
    'All three use the same reading rule: everything readable on both sides is there, the damage is reported once',
    async () => {
      const kept = await world.first.store.readRaw(stream('S'), { limit: 1_000 })
      expect(kept.map(({ revision }) => revision)).toEqual(Array.from(kept, (_, revision) => revision))
      expect(kept.filter(({ payload }) => payload?.startsWith('{') !== true).map((event) => event.position)).toEqual([
        position,
      ])
      expect(kept.filter(({ type }) => type === 'MessageAppended')).toHaveLength(50)
      const { ok, counts, findings } = await doctorOfFile(world.file)
      expect({ ok, broken: counts['chain-broken'] }).toEqual({ ok: false, broken: 1 })
      expect(findings).toContainEqual(expect.objectContaining({ code: 'chain-broken', session: 'S', position }))
    },
  )
})
