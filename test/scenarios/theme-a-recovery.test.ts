import { systemSource, type MessageInput } from '@refold/engine'
import { expect } from 'vitest'
import { callsOn } from '../cli/call.ts'
import { scenario } from './scenario.ts'
import {
  appendTurns,
  compact,
  context,
  listed,
  open,
  question,
  rotate,
  rows,
  start,
  storedOf,
  sure,
  transcript,
  turn,
  turnsFrom,
} from './words.ts'

scenario('B015', 'a key that points at a transcript which was never created', async (world) => {
  const { engine, store } = await world.breakableEngine()
  const S = await start(engine, 'S')
  sure(await S.bindRoute({ route: 'chat' }))
  await appendTurns(S, 1, 10)
  sure(await S.compactionFailed('The summary was empty.'))
  store.breakNext('before')
  await expect(engine.start({ id: 'S2', resetOf: 'S' })).rejects.toThrow('killed')
  await world.clause('R still shows the 10 turns', async () => {
    const R = await open(world.first, (await world.first.route('chat')).session ?? '')
    expect(await transcript(R)).toHaveLength(20)
    expect(sure(await R.append(question(11)))).toMatchObject({ session: 'S', appended: 1 })
  })
  await world.clause('a key may only be re-pointed after the target exists durably', async () => {
    expect(await world.first.session('S2')).toMatchObject({ ok: false, code: 'session-not-found' })
    sure(await engine.start({ id: 'S2', resetOf: 'S' }))
    expect(await world.first.route('chat')).toMatchObject({ session: 'S2', generation: 2 })
    const { position } = await world.first.store.logHead()
    const all = await world.first.store.readAll({ limit: 1_000 })
    const started = all.find(({ stream, type }) => stream.endsWith('S2') && type === 'SessionStarted')
    const moved = all.find(({ stream, type }) => stream.endsWith('S2') && type === 'SettingChanged')
    expect(started?.position).toBeLessThan(moved?.position ?? 0)
    expect(moved?.position).toBeLessThanOrEqual(position)
  })
})

scenario('B016', 'helpers that keep addressing a dead ancestor', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 8)
  const H = await open(await world.engine(), 'S')
  const heard: unknown[] = []
  const { position } = await world.first.store.logHead()
  const log = world.first.store.subscribe({ after: position })
  sure(await compact(S, { keep: 4 }))
  sure(await rotate(S, 'S2'))
  const said = sure(await H.append(question(9)))
  await world.clause("H's reads and appends reach the live conversation", async () => {
    expect(said).toMatchObject({ landedIn: 'S2', appended: 1 })
    expect(await transcript(H)).toEqual(await transcript(S))
    expect((await context(S)).at(-1)).toBe('U9')
  })
  await world.clause('the engine exposes an event that announces any id change', async () => {
    for await (const event of log) {
      heard.push(event)
      if (event.type === 'MessageAppended') break
    }
    await log.close()
    expect(heard).toContainEqual(
      expect.objectContaining({ type: 'Rotated', data: { from: 'S', to: 'S2', reason: 'rotation' } }),
    )
  })
  await world.clause('preferably the public id never changes', async () => {
    expect(said.session).toBe('S')
    expect((await open(world.first, 'S2')).id).toBe('S')
    expect(await listed(world.first)).toEqual(['S'])
  })
})

const jsonLines = (messages: readonly MessageInput[]): string =>
  messages.map((message) => JSON.stringify(message)).join('\n')

scenario('B017', 'a client that keeps the id it first received', async (world) => {
  const refold = callsOn(world.file)
  await refold(['start', '--id', 'S'])
  await refold(['append', 'S'], { input: jsonLines(turnsFrom(1, 6)) })
  await refold(['rotate', 'S', '--segment', 'S2'])
  await refold(['rotate', 'S', '--segment', 'S3'])
  const posted = await refold(['append', 'S'], { input: jsonLines([question(7)]) })
  const history = await refold(['show', 'S'])
  await world.clause('Both calls act on the tip', () => {
    expect(posted).toMatchObject({ appended: 1, landedIn: 'S3' })
    expect(history.entries.at(-1)).toMatchObject({ id: 'U7' })
  })
  await world.clause('the reply may keep echoing S', () => {
    expect(posted.session).toBe('S')
    expect(history.session).toBe('S')
  })
  await world.clause('history is complete', () => {
    const messages = history.entries.filter(({ kind }: { kind: string }) => kind === 'message')
    expect(messages.map(({ id }: { id: string }) => id)).toEqual([...turnsFrom(1, 6).map(({ id }) => id), 'U7'])
  })
})

scenario('B019', 'a follow-on after the turn limit without a link', async (world) => {
  const S = await start(world.first, 'S')
  const run = sure(await S.startTurn())
  sure(await S.append(turnsFrom(1, 5), { turn: run.turn }))
  sure(await S.endTurn(run.turn))
  sure(await rotate(S, 'S2', { reason: 'turn limit' }))
  const next = sure(await S.startTurn())
  sure(await S.append(turn(6), { turn: next.turn }))
  await world.clause("Either the same session continues, or the new one carries a 'continues' link", async () => {
    expect(sure(await S.lineage())).toMatchObject({ session: 'S', segments: ['S', 'S2'] })
  })
  await world.clause('one row in the list, one stitched transcript', async () => {
    expect((await rows(world.first)).map(({ id, tip }) => [id, tip])).toEqual([['S', 'S2']])
    expect(await transcript(await open(world.first, 'S2'))).toEqual(turnsFrom(1, 6).map(({ id }) => id))
  })
})

scenario('B020', 'ids minted from the clock alone', async (world) => {
  const frozen = { ...systemSource, now: () => 1_800_000_000_000 }
  const writers = [await world.engine({ source: frozen }), await world.engine({ source: frozen })]
  const started = await Promise.all(
    Array.from({ length: 1_000 }, async (_, index) => {
      const { handle } = sure(await (writers[index % 2] ?? world.first).start())
      sure(await handle.append({ id: 'm', role: 'user', text: `Hello ${index}` }))
      return handle.id
    }),
  )
  await world.clause('1,000 distinct ids and 1,000 rows', async () => {
    expect(new Set(started).size).toBe(1_000)
    const { sessions, total } = sure(await world.first.list({ limit: 1_000 }))
    expect(total).toBe(1_000)
    expect(new Set(sessions.map(({ preview }) => preview)).size).toBe(1_000)
  })
  await world.clause('creation is insert-only: a collision is an error or a retry, never a replacement', async () => {
    const [id = ''] = started
    const both = await Promise.all(writers.map((writer) => writer.start({ id: 'same' })))
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
    expect(both.find(({ ok }) => !ok)).toMatchObject({ code: 'id-taken', holder: 'same' })
    expect(await world.first.start({ id })).toMatchObject({ ok: false, code: 'id-taken', holder: id })
    expect(await transcript(await open(world.first, id))).toEqual(['m'])
  })
})

scenario('B021', 'a missing field read as a switch back to the default', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.set({ key: 'host', name: 'agent', value: 'planner' }))
  sure(await S.set({ key: 'model', value: 'm2' }))
  await appendTurns(S, 1, 8)
  await world.clause(
    "'planner' and m2 in all cases: settings change only through a settings event, never through a field missing on a message",
    async () => {
      const check = async () => {
        expect(sure(await S.settings())).toEqual(
          expect.arrayContaining([
            { key: 'host', name: 'agent', value: 'planner' },
            { key: 'model', value: 'm2' },
          ]),
        )
        expect(await rows(world.first)).toMatchObject([{ id: 'S', model: 'm2' }])
      }
      sure(await compact(S, { keep: 4 }))
      sure(
        await S.append({
          id: 'N1',
          role: 'user',
          text: 'Context was shortened.',
          provenance: 'engine',
          shownTo: 'model',
        }),
      )
      sure(await S.append(question(9)))
      await check()
      sure(await rotate(S, 'S2', { keep: 1 }))
      sure(await S.append({ id: 'N2', role: 'system', text: 'Context was shortened.', provenance: 'engine' }))
      sure(await S.append(question(10)))
      await check()
      expect(await storedOf(S, 'SettingChanged')).toHaveLength(2)
    },
  )
})
