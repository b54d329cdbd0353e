import { expect } from 'vitest'
import { chainBreaks } from './chain.ts'
import { placesOf } from '../search/found.ts'
import { scenario } from './scenario.ts'
import {
  answer,
  appendTurns,
  compact,
  context,
  contextOf,
  honestCompaction,
  linesOf,
  open,
  question,
  rowOf,
  start,
  stored,
  storedMessages,
  storedOf,
  sure,
  transcript,
  transcriptOf,
  turn,
  turnsFrom,
} from './words.ts'

const idsFrom = (from: number, to: number) => turnsFrom(from, to).map(({ id }) => id)

scenario('B038', 'a kept tail that is seen once for each compaction', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 6)
  const first = await storedOf(S, 'MessageAppended')
  sure(await compact(S, { keep: 4, summary: 'The first six turns.' }))
  sure(await S.append(turn(7)))
  sure(await compact(S, { keep: 4, summary: 'Seven turns.' }))
  sure(await S.append(turn(8)))
  sure(await compact(S, { keep: 4, summary: 'Eight.' }))
  await world.clause('Transcript: every message once, original order, original ids', async () => {
    expect(await transcript(S)).toEqual(idsFrom(1, 8))
  })
  await world.clause('search: one hit for A6', async () => {
    expect(await placesOf(world.first, '"Answer 6"')).toEqual(['S/A6'])
  })
  await world.clause('stored copies of kept messages do not grow with the number of compactions', async () => {
    expect(await storedMessages(S)).toEqual(idsFrom(1, 8))
    expect((await storedOf(S, 'MessageAppended')).slice(0, 12)).toEqual(first)
    for (const { data } of await storedOf(S, 'Compacted')) expect(JSON.stringify(data)).not.toContain('Answer')
  })
})

scenario('B040', 'the unsaved result of a failed compaction put on top of the old messages', async (world) => {
  const { engine, store } = await world.breakableEngine()
  const S = await start(engine, 'S')
  await appendTurns(S, 1, 8)
  const before = await contextOf(S)
  for (let time = 0; time < 6; time += 1) {
    store.breakNext('before')
    await expect(compact(S, { keep: 2 })).rejects.toThrow('killed')
    sure(await S.compactionFailed('The commit failed.'))
    // What the host still holds in memory is saved, as at the end of each turn.
    expect(sure(await S.append(turnsFrom(1, 8)))).toMatchObject({ appended: 0, alreadyThere: 16 })
  }
  await world.clause('Exactly 16 messages', async () => {
    expect(await storedMessages(S)).toEqual(idsFrom(1, 8))
    expect(await transcript(S)).toEqual(idsFrom(1, 8))
    expect(await rowOf(world.first, 'S')).toMatchObject({ messages: 16 })
  })
  await world.clause('no summary is visible anywhere', async () => {
    expect(await storedOf(S, 'Compacted')).toEqual([])
    expect((await transcriptOf(S)).entries.map(({ kind }) => kind)).not.toContain('compaction')
    expect(await context(S)).not.toContain('summary')
  })
  await world.clause(
    'a failed compaction returns the original view and leaves no trace but an optional failure event',
    async () => {
      const { messages, digest } = await contextOf(S)
      expect({ messages, digest }).toEqual({ messages: before.messages, digest: before.digest })
      const types = new Set((await stored(S)).map(({ type }) => type))
      expect(types).toEqual(new Set(['SessionStarted', 'MessageAppended', 'CompactionFailed']))
    },
  )
})

scenario('B041', 'a long chat of which almost every row is a copy', async (world) => {
  const { engine, store } = await world.breakableEngine()
  const S = await start(engine, 'S')
  let succeeded = 0
  for (let round = 1; round <= 50; round += 1) {
    sure(await S.append(turnsFrom(2 * round - 1, 2 * round)))
    const fails = round % 5 === 0
    if (fails) store.breakNext('before')
    const done = await compact(S, { keep: 4, summary: `Turns up to ${2 * round}.` }).catch(() => undefined)
    if (fails) {
      expect(done).toBeUndefined()
      // History repair: whatever the host knows is written over the session.
      sure(await S.append(turnsFrom(1, 2 * round)))
    } else if (done?.ok) succeeded += 1
  }
  await world.clause('100 turns = 200 messages', async () => {
    expect(await storedMessages(S)).toEqual(idsFrom(1, 100))
  })
  await world.clause('at most one summary per successful compaction', async () => {
    const summaries = (await storedOf(S, 'Compacted')).map(({ data }) => data.summary)
    expect(summaries).toHaveLength(succeeded)
    expect(new Set(summaries).size).toBe(succeeded)
    expect(succeeded).toBe(39) // the first round's two turns are all kept: a summary would make them no smaller
  })
  await world.clause('every body equals what was appended under that id', async () => {
    expect(await linesOf(S)).toEqual(turnsFrom(1, 100).map(({ id, text }) => `${id}: ${text}`))
  })
  await world.clause('transcript length 200', async () => {
    expect(await transcript(S)).toHaveLength(200)
  })
})

scenario('B042', 'a batch that failed in the middle and was retried', async (world) => {
  for (const when of ['before', 'after'] as const) {
    const { engine, store } = await world.breakableEngine()
    const S = await start(engine, `S-${when}`)
    store.breakNext(when)
    await expect(S.append(turnsFrom(1, 2))).rejects.toThrow('killed')
    const there = (await storedMessages(S)).length
    const retried = sure(await S.append(turnsFrom(1, 2)))
    await world.clause('Four messages, once each', async () => {
      expect(await storedMessages(S)).toEqual(['U1', 'A1', 'U2', 'A2'])
      expect(await transcript(S)).toEqual(['U1', 'A1', 'U2', 'A2'])
    })
    await world.clause('message counter is 4', async () => {
      expect(await rowOf(world.first, S.id)).toMatchObject({ messages: 4 })
    })
    await world.clause('the retry is safe whether or not the first part was committed', () => {
      expect(there).toBe(when === 'before' ? 0 : 4)
      expect(retried).toMatchObject({ appended: 4 - there, alreadyThere: there })
    })
  }
})

const hi = (platformId: string) => ({ role: 'user', text: 'hi', platformId })

scenario('B043', 'one incoming message that two components store', async (world) => {
  const S = await start(world.first, 'S')
  const W2 = await open(await world.engine(), 'S')
  const outcomes = [
    sure(await S.append(hi('e1'))),
    sure(await W2.append(hi('e1'))),
    sure(await W2.append({ id: 'own-id', ...hi('e1') })),
    sure(await W2.append(hi('e2'))),
  ]
  const said = async () => (await linesOf(S)).map((line) => line.replace(/^[^:]+: /u, ''))
  await world.clause('Two messages: e1 once, e2 once', async () => {
    expect(outcomes.map(({ appended, alreadyThere }) => [appended, alreadyThere])).toEqual([
      [1, 0],
      [0, 1],
      [0, 1],
      [1, 0],
    ])
    expect((await storedOf(S, 'MessageAppended')).map(({ data }) => data.platformId)).toEqual(['e1', 'e2'])
    expect(await context(S)).toEqual(await transcript(S))
  })
  await world.clause('De-duplication is by external id/idempotency key, never by text', async () => {
    expect(await said()).toEqual(['hi', 'hi'])
    const keyed = { role: 'user', text: 'hi' }
    sure(await S.append(keyed, { key: 'request 1' }))
    expect(sure(await W2.append(keyed, { key: 'request 1' }))).toMatchObject({ repeated: true, appended: 1 })
    expect(await said()).toEqual(['hi', 'hi', 'hi'])
  })
  await world.clause('a user may say the same thing twice', async () => {
    sure(
      await S.append([
        { role: 'user', text: 'hi' },
        { role: 'user', text: 'hi' },
      ]),
    )
    expect(await said()).toEqual(['hi', 'hi', 'hi', 'hi', 'hi'])
  })
})

scenario('B046', 'one cycle that inserts its summary twice', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 8)
  const fromRequest = await honestCompaction(S, { keep: 2 })
  const fromTool = await honestCompaction(await open(await world.engine(), 'S'), { keep: 2 })
  const first = await S.compact({ ...fromRequest, key: 'before request' })
  const second = await S.compact({ ...fromTool, key: 'after tool result' })
  await world.clause('One summary event per (session, watermark)', async () => {
    expect(sure(first).events).toEqual(['Compacted'])
    expect((await storedOf(S, 'Compacted')).map(({ data }) => data.watermark)).toEqual([16])
  })
  await world.clause('the second attempt is recognised as already done', async () => {
    expect(second).toMatchObject({ ok: false, code: 'stale-compaction', because: 'Compacted', revision: 17 })
    expect(await S.compact({ ...fromRequest, key: 'before request' })).toMatchObject({ ok: true, repeated: true })
  })
})

scenario('B047', 'each turn and each resume writes the history again', async (world) => {
  let S = await start(world.first, 'S', { model: 'm1' })
  sure(await S.append(turn(1)))
  for (let n = 2; n <= 21; n += 1) {
    const engine = await world.restart()
    S = await open(engine, 'S')
    sure(await S.set({ key: 'model', value: 'm1' }))
    sure(await S.set({ key: 'workspace', value: null }))
    sure(await S.append(turnsFrom(1, n)))
  }
  await world.clause('21 turns, once each', async () => {
    expect(await storedMessages(S)).toEqual(idsFrom(1, 21))
    expect(await transcript(S)).toEqual(idsFrom(1, 21))
  })
  await world.clause(
    're-asserting unchanged settings adds no event (or the events never affect the transcript)',
    async () => expect(await storedOf(S, 'SettingChanged')).toEqual([]),
  )
})

scenario('B049', 'recovery that stores the message again', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append([question(1), { id: 'R0', role: 'tool', toolCallId: 'c', text: 'long '.repeat(500) }]))
  sure(await S.prune('R0', { parts: [{ type: 'text', text: 'shortened' }], why: 'overflow' }))
  const retries: number[] = []
  for (let time = 0; time < 2; time += 1) retries.push(sure(await S.append(question(1))).alreadyThere)
  sure(await S.append(answer(1)))
  await world.clause('Transcript: U1, A1', async () => {
    expect((await transcript(S)).filter((id) => id !== 'R0')).toEqual(['U1', 'A1'])
  })
  await world.clause('Retries reuse the stored message', async () => {
    expect(retries).toEqual([1, 1])
    expect((await storedMessages(S)).filter((id) => id === 'U1')).toEqual(['U1'])
  })
})

scenario('B056', 'everything before the earlier boundary written again', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 6)
  for (let n = 7; n <= 11; n += 1) {
    sure(await compact(S, { keep: 2, summary: `Up to turn ${n - 1}.` }))
    sure(await S.append(turn(n)))
  }
  await world.clause('11 turns = 22 message events, 5 summaries, no id stored twice', async () => {
    expect(await storedMessages(S)).toEqual(idsFrom(1, 11))
    expect(await storedOf(S, 'Compacted')).toHaveLength(5)
    const ids = (await stored(S)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
  await world.clause('every predecessor is the event that really came before', async () => {
    const events = await stored(S)
    expect(events.map(({ revision }) => revision)).toEqual(events.map((_, index) => index))
    const positions = events.map(({ position }) => position)
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
    expect(await chainBreaks(world.first, 'S')).toEqual([])
  })
})

scenario('B057', 'what was loaded is not recognised as stored', async (world) => {
  const first = await start(world.first, 'S')
  await appendTurns(first, 1, 5)
  const engine = await world.restart()
  const writers = [await open(engine, 'S'), await open(await world.engine(), 'S')]
  for (let n = 6; n <= 35; n += 1) {
    const S = writers[n % 2] ?? first
    sure(await S.append(turn(n)))
    sure(await S.append(turnsFrom(1, n)))
  }
  await world.clause(
    '70 messages: what was loaded counts as stored from the moment of loading, whichever process loaded it',
    async () => {
      const S = await open(engine, 'S')
      expect(await storedMessages(S)).toEqual(idsFrom(1, 35))
      expect(await transcript(S)).toHaveLength(70)
    },
  )
})

scenario('B059', 'a pause for approval that saves the call twice', async (world) => {
  const call = { id: 'T1', role: 'assistant', toolCalls: [{ id: 'c1', name: 'delete-file', arguments: { path: 'a' } }] }
  const result = { id: 'R1', role: 'tool', toolCallId: 'c1', text: 'Deleted.' }
  sure(await (await start(world.first, 'S')).append([question(1), call]))
  const S = await open(await world.restart(), 'S')
  sure(await S.append([question(1), call, result, answer(1)]))
  await world.clause('U1, T1, result, A1, once each', async () => {
    expect(await storedMessages(S)).toEqual(['U1', 'T1', 'R1', 'A1'])
    expect(await context(S)).toEqual(['U1', 'T1', 'R1', 'A1'])
  })
})
