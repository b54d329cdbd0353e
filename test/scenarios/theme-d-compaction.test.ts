import { createHash } from 'node:crypto'
import { sessionStream } from '@refold/events'
import { expect } from 'vitest'
import { empty, unpaired } from './pairing.ts'
import { scenario } from './scenario.ts'
import {
  answer,
  appendTurns,
  call,
  compact,
  context,
  contextLinesOf,
  contextOf,
  honestCompaction,
  linesOf,
  open,
  question,
  result,
  rotate,
  start,
  stored,
  storedMessages,
  storedOf,
  sure,
  toolTurn,
  transcript,
  transcriptOf,
  turn,
  turnsFrom,
} from './words.ts'

scenario('B061', 'messages that arrive while the summary is being made', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 10)
  const begun = await honestCompaction(S, { keep: 2, summary: 'Turns 1 to 9.' })
  const other = await open(await world.engine(), 'S')
  const arrived = sure(await other.append(turn(11)))
  const done = sure(await S.compact(begun))
  await world.clause('Appends are accepted at once', () => expect(arrived).toMatchObject({ ok: true, appended: 2 }))
  await world.clause('context = summary(events <= watermark minus tail) + tail + U11 + A11', async () => {
    expect(await contextLinesOf(S)).toEqual([
      'summary: Turns 1 to 9.',
      ...[...turn(10), ...turn(11)].map(({ id, text }) => `${id}: ${text}`),
    ])
    expect(done).toMatchObject({ covers: 18, kept: ['U10', 'A10'] })
  })
  await world.clause('nothing above the watermark is archived', async () => {
    expect(await transcript(S)).toEqual(turnsFrom(1, 11).map(({ id }) => id))
    expect((await storedOf(S, 'Compacted')).map(({ data }) => data.watermark)).toEqual([20])
  })
})

scenario('B062', 'pieces closed before anything of them was saved', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append(question(1)))
  for (let n = 1; n <= 6; n += 1) {
    sure(await rotate(S, `S-${n}`, { pending: [call(n), result(n)] }))
  }
  sure(await S.append(answer(1)))
  const pairs = [1, 2, 3, 4, 5, 6].flatMap((n) => [`T${n}`, `R${n}`])
  await world.clause('U1, 6 pairs, A1 all present once', async () => {
    expect(await transcript(S)).toEqual(['U1', ...pairs, 'A1'])
    expect(await storedMessages(S)).toEqual(['U1', ...pairs, 'A1'])
  })
  await world.clause('Nothing can be closed or compacted that is not stored first', async () => {
    const types = (await stored(S)).map(({ type }) => type).slice(2, 5)
    expect(types).toEqual(['MessageAppended', 'MessageAppended', 'Rotated'])
    const held = { ...(await honestCompaction(S, { keep: 1 })), held: ['U1', ...pairs, 'A1', 'never-stored'] }
    expect(await S.compact(held)).toMatchObject({ ok: false, code: 'not-held', foreign: ['never-stored'] })
  })
})

scenario('B063', 'old messages dropped although the summary failed', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append(turnsFrom(1, 60)))
  const before = await contextOf(S)
  const told = sure(
    await S.compactionFailed('The provider cannot be reached.', { cooldownUntil: world.source.now() + 60_000 }),
  )
  await world.clause('Identical to before', async () => {
    const { messages, digest, bytes } = await contextOf(S)
    expect({ messages, digest, bytes }).toEqual({
      messages: before.messages,
      digest: before.digest,
      bytes: before.bytes,
    })
    expect(await transcript(S)).toHaveLength(120)
  })
  await world.clause('a typed failure is returned', async () => {
    expect(told.events).toEqual(['CompactionFailed'])
    expect((await storedOf(S, 'CompactionFailed')).map(({ data }) => data.reason)).toEqual([
      'The provider cannot be reached.',
    ])
  })
  await world.clause("never 'shrink without summary' by default", async () => {
    for (const summary of ['', ' \n\t', '\u200b']) {
      const shrinking = await compact(S, { keep: 14, summary })
      expect(shrinking).toMatchObject({ ok: false, code: 'summary-empty', session: 'S' })
      const rotation = await S.rotate({ segment: 'S2', compaction: await honestCompaction(S, { keep: 14, summary }) })
      expect(rotation).toMatchObject({ ok: false, code: 'summary-empty', session: 'S' })
    }
    expect(await context(S)).toHaveLength(120)
  })
  await world.clause('retry possible', async () => {
    sure(await S.append(turn(61)))
    expect(sure(await compact(S, { keep: 2 })).covers).toBe(120)
    expect(await context(S)).toEqual(['summary', 'U61', 'A61'])
  })
})

scenario('B065', 'a replacement that clears first and then fails', async (world) => {
  const { engine, store } = await world.breakableEngine()
  const S = await start(engine, 'S')
  await appendTurns(S, 1, 5)
  const before = await contextOf(S)
  const replacement = await honestCompaction(S, { keep: 2, summary: 'Shorter.' })
  const forms = [{ message: 'A5', parts: [{ type: 'text', text: 'Slowly.' }] }] as const
  store.breakNext('before')
  await expect(S.compact({ ...replacement, wireForms: forms })).rejects.toThrow('killed')
  await world.clause('Old view intact', async () => {
    expect((await contextOf(S)).messages).toEqual(before.messages)
    expect((await contextOf(await open(await world.engine(), 'S'))).digest).toBe(before.digest)
  })
  await world.clause('replacement is all or nothing', async () => {
    sure(await S.compact({ ...replacement, wireForms: forms }))
    expect(await contextLinesOf(S)).toEqual(['summary: Shorter.', `U5: ${question(5).text}`, 'A5: Slowly.'])
  })
})

scenario('B066', 'a stored conversation rewritten in place by compaction', async (world) => {
  const S = await start(world.first, 'S')
  for (let n = 1; n <= 30; n += 1) sure(await S.append(toolTurn(n)))
  const stream = sessionStream({ namespace: 'default', session: 'S' })
  const prefix = async () =>
    createHash('sha256')
      .update(JSON.stringify(await world.first.store.readRaw(stream, { from: 0, limit: 121 })))
      .digest('hex')
  const before = await prefix()
  sure(await compact(S, { keep: 12, summary: 'Valves, valves and valves.' }))
  sure(await compact(S, { keep: 8, summary: 'Valves and valves.' }))
  sure(await rotate(S, 'S2'))
  sure(await compact(S, { keep: 4, summary: 'Valves.' }))
  await world.clause('Prefix hash unchanged: compaction only appends', async () => {
    expect(await prefix()).toBe(before)
    expect((await stored(S)).slice(121).map(({ type }) => type)).toEqual([
      'Compacted',
      'Compacted',
      'Rotated',
      'Compacted',
    ])
    expect(await transcript(S)).toHaveLength(120)
  })
})

scenario('B067', 'a call whose result was still to come, compacted away', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 6)
  sure(await S.append(call(1)))
  const early = await honestCompaction(S, { keep: 0 })
  sure(await compact(S, { keep: 1 }))
  sure(await S.append(result(1)))
  await world.clause("T1's call and result are both in the context, adjacent and in order", async () => {
    const ids = await context(S)
    expect(ids.slice(ids.indexOf('T1'))).toEqual(['T1', 'R1'])
    expect(unpaired((await contextOf(S)).messages)).toEqual([])
  })
  await world.clause('compaction waits, or moves its boundary so no open call is cut off', async () => {
    // Also where nothing was asked to be kept, and where the result comes while the summary is being written.
    const T = await start(world.first, 'T')
    await appendTurns(T, 1, 6)
    sure(await T.append(call(1)))
    const begun = await honestCompaction(T, { keep: 0 })
    expect(begun.keep).toEqual(early.keep)
    sure(await T.append(result(1)))
    expect(sure(await T.compact(begun)).kept).toContain('T1')
    expect((await context(T)).slice(-2)).toEqual(['T1', 'R1'])
  })
})

scenario('B068', 'two compactions that leave a result without its call', async (world) => {
  for (let keep = 0; keep <= 12; keep += 1) {
    const S = await start(world.first, `S${keep}`)
    for (let n = 1; n <= 3; n += 1) sure(await S.append(toolTurn(n)))
    await compact(S, { keep, summary: 'Three turns.' })
    for (let n = 4; n <= 5; n += 1) sure(await S.append(toolTurn(n)))
    await compact(S, { keep, summary: 'Five.' })
    await world.clause(
      'No result without its call, no call without its result, after any number of compactions with any requested keep count (the boundary slides to a safe place)',
      async () => {
        const { messages } = await contextOf(S)
        expect(unpaired(messages)).toEqual([])
        expect(empty(messages)).toEqual([])
        expect(messages.some(({ repair }) => repair)).toBe(false)
        if (keep > 0 && keep < 12) expect(messages[0]?.standsFor).toBe('summary')
      },
    )
  }
})

scenario('B070', 'a branch whose context is the summary and a lone result', async (world) => {
  const S = await start(world.first, 'S')
  for (let n = 1; n <= 6; n += 1) sure(await S.append(toolTurn(n)))
  sure(await compact(S, { keep: 4 }))
  const said = { id: 'U', role: 'user', text: 'Another way, please.' } as const
  await world.clause("F's context = S's context + U", async () => {
    const origin = (await contextOf(S)).messages
    sure(await S.branch({ from: 'A6', id: 'F' }))
    const F = await open(world.first, 'F')
    sure(await F.append(said))
    expect((await contextOf(F)).messages.slice(0, -1)).toEqual(origin)
    expect((await contextLinesOf(F)).at(-1)).toBe('U: Another way, please.')
    expect(unpaired((await contextOf(F)).messages)).toEqual([])
    // Whatever marks lie between the message and the summary.
    sure(await rotate(S, 'S2'))
    sure(await S.set({ key: 'model', value: 'm2' }))
    sure(await compact(S, { keep: 4, summary: 'Valves.' }))
    sure(await S.branch({ from: 'A6', id: 'G' }))
    expect((await contextOf(await open(world.first, 'G'))).messages).toEqual((await contextOf(S)).messages)
  })
})

scenario('B071', 'arguments cut in the middle of their JSON', async (world) => {
  const S = await start(world.first, 'S')
  const small = { text: 'x'.repeat(7_085 - '{"text":""}'.length) }
  const large = { text: 'y'.repeat(100_000) }
  expect(JSON.stringify(small)).toHaveLength(7_085)
  await appendTurns(S, 1, 4)
  const calls = {
    id: 'T1',
    role: 'assistant',
    toolCalls: [
      { id: 'c1', name: 'write', arguments: small },
      { id: 'c2', name: 'write', arguments: large },
    ],
  }
  const results = ['c1', 'c2'].map((toolCallId) => ({ id: `R-${toolCallId}`, role: 'tool', toolCallId, text: 'ok' }))
  sure(await S.append([question(5), calls, ...results]))
  const before = await storedOf(S, 'MessageAppended')
  sure(await compact(S, { keep: 3 }))
  await world.clause('Valid JSON (whole, or replaced by a well-formed stub that says it was shortened)', async () => {
    const sent = (await contextOf(S)).messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool-call'))
    const read = sent.map((part) =>
      part.type === 'tool-call'
        ? (part.arguments ?? JSON.parse(typeof part.argumentsText === 'string' ? part.argumentsText : 'null'))
        : null,
    )
    expect(read).toEqual([small, large])
  })
  await world.clause('the stored original is untouched', async () => {
    expect(await storedOf(S, 'MessageAppended')).toEqual(before)
    const shown = (await transcriptOf(S)).entries.find(({ id }) => id === 'T1')
    expect(shown).toMatchObject({ parts: [{ type: 'tool-call', arguments: small }, { type: 'tool-call' }] })
  })
})

scenario('B075', 'retry and undo that skip the carrier of summary and request', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 6)
  sure(await S.append(question(7)))
  const whole = await honestCompaction(S, { keep: 1, summary: 'SUMMARY.' })
  const forms = [{ message: 'U7', parts: [{ type: 'text', text: `SUMMARY. ${question(7).text}` }] }] as const
  sure(await S.compact({ ...whole, carrier: 'U7', wireForms: forms }))
  sure(await S.append(answer(7)))
  await world.clause("Retry resends U7's text only", async () => {
    const last = (await transcriptOf(S)).entries.findLast(
      (entry) => entry.kind === 'message' && entry.provenance === 'person',
    )
    expect(last).toMatchObject({ id: 'U7', parts: [{ type: 'text', text: question(7).text }] })
    sure(await S.rewind({ to: 'U7' }))
    expect(await context(S)).toEqual(['U7'])
    expect(await transcript(S)).toEqual([...turnsFrom(1, 6).map(({ id }) => id), 'U7'])
    sure(await S.append({ id: 'A7b', role: 'assistant', text: 'Slowly, I said.' }))
  })
  sure(await S.rewind({ to: 'A6' }))
  await world.clause('undo removes U7/A7 and keeps the summary', async () => {
    expect(await transcript(S)).toEqual(turnsFrom(1, 6).map(({ id }) => id))
    expect(await contextLinesOf(S)).toEqual(['summary: SUMMARY.'])
  })
  await world.clause('no older message is chosen', async () => {
    expect((await linesOf(S)).at(-1)).toBe(`A6: ${answer(6).text}`)
    sure(await S.append(question(8)))
    expect((await contextLinesOf(S)).at(-1)).toBe(`U8: ${question(8).text}`)
  })
})

scenario('B076', 'messages in neither summary nor tail', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 20)
  const held = (await contextOf(S)).messages.map(({ id }) => id)
  const asked = await honestCompaction(S, { keep: 4 })
  const given = held.filter((id) => !asked.keep.includes(id))
  const done = sure(await S.compact(asked))
  await world.clause('Given and kept are disjoint and together equal all messages up to the watermark', async () => {
    expect(done.kept).toEqual(asked.keep)
    expect(done.covers).toBe(given.length)
    expect([...given, ...done.kept]).toEqual(turnsFrom(1, 20).map(({ id }) => id))
    // An author that was not given everything is told what it lacks.
    sure(await S.append(turn(21)))
    const next = await honestCompaction(S, { keep: 0 })
    const lacking = await S.compact({ ...next, held: ['U21'] })
    expect(lacking).toMatchObject({ ok: false, code: 'not-held', lacking: [...done.kept, 'A21'] })
  })
})
