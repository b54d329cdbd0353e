import { isKnown } from '@refold/events'
import type { SessionHandle } from '@refold/engine'
import { expect } from 'vitest'
import { callsOn } from '../cli/call.ts'
import { unpaired } from './pairing.ts'
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
  open,
  question,
  result,
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

/** Whether the model owes an answer, by what it would be sent. */
async function unanswered(session: SessionHandle): Promise<string | null> {
  const last = (await contextOf(session)).messages.at(-1)
  return last?.role === 'user' ? last.id : null
}

scenario('B083', 'a loop that compares ids made from clocks', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append({ ...question(1), id: 'zzz', at: world.source.now() + 5_000 }))
  sure(await S.append({ ...answer(1), id: 'mmm', at: world.source.now() }))
  await world.clause('First answer: no', async () => expect(await unanswered(S)).toBeNull())
  sure(await S.append({ ...question(2), id: 'aaa', at: world.source.now() - 5_000 }))
  await world.clause('Second: yes (U2)', async () => expect(await unanswered(S)).toBe('aaa'))
  await world.clause('Decided by append order and reply links, not by id text or time', async () => {
    // The engine's own notion: what is unanswered stays word for word whatever a compaction keeps.
    await appendTurns(await start(world.first, 'T'), 1, 2)
    expect(sure(await compact(S, { keep: 0, summary: '.' })).kept).toEqual(['aaa'])
    expect(await context(S)).toEqual(['summary', 'aaa'])
  })
})

scenario('B084', 'a notice for people that gets into the context', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append(turn(1)))
  sure(await S.append({ id: 'N', role: 'system', text: 'Your plan ends tomorrow.', shownTo: 'person' }))
  sure(await S.note({ kind: 'banner', text: 'Your plan ends tomorrow.', shownTo: 'person' }))
  sure(await S.append(question(2)))
  await world.clause('N is in the transcript, never in model context or summariser input', async () => {
    expect(await transcript(S)).toEqual(['U1', 'A1', 'N', 'U2'])
    const input = await contextLinesOf(S)
    expect(input).toHaveLength(3)
    sure(await compact(S, { keep: 1 }))
    sure(await S.append(answer(2)))
    expect([...input, ...(await contextLinesOf(S))].join('\n')).not.toContain('plan ends')
    expect(await context(S)).toEqual(['summary', 'U2', 'A2'])
    const held = await honestCompaction(S, { keep: 0, summary: '.' })
    expect(await S.compact({ ...held, held: ['N', 'U2', 'A2'] })).toMatchObject({ code: 'not-held', foreign: ['N'] })
  })
})

scenario('B085', 'a call in flight at a crash, pruned on resume', async (world) => {
  const S = await start(world.first, 'S')
  const begun = sure(await S.startTurn())
  sure(await S.append([question(1), call(1)], { turn: begun.turn }))
  const again = await open(await world.restart(), 'S')
  world.source.advance(10 * 60_000)
  // Refold lets the call wait while nothing follows: its result may still come from where it runs, and a context only ever
  // grows at its end. The next request always follows something, be it the user's words or a notice to go on.
  expect(await context(again)).toEqual(['U1', 'T1'])
  sure(await again.append(question(2)))
  const { messages } = await contextOf(again)
  await world.clause("T1 is present with a synthetic 'interrupted, outcome unknown' result", async () => {
    expect(await context(again)).toEqual(['U1', 'T1', 'repair', 'U2'])
    expect(messages[2]).toMatchObject({
      role: 'tool',
      id: 'T1',
      repair: true,
      parts: [
        { toolCallId: 'call-1', isError: true, text: expect.stringMatching(/^Interrupted: .*outcome is unknown/u) },
      ],
    })
  })
  await world.clause('pairing valid', () => expect(unpaired(messages)).toEqual([]))
  await world.clause('the stored log has no fake result mixed with real ones (marked as engine-made)', async () => {
    expect(await storedMessages(again)).toEqual(['U1', 'T1', 'U2'])
    expect(await transcript(again)).toEqual(['U1', 'T1', 'U2'])
    const sent = await callsOn(world.file)(['context', 'S'])
    expect(sent.messages.map(({ repair }: { repair?: boolean }) => repair ?? false)).toEqual([
      false,
      false,
      true,
      false,
    ])
  })
})

scenario('B086', 'lifetime totals taken for the present size', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 3)
  const before = (await contextOf(S)).bytes
  for (const key of ['r1', 'r2']) sure(await S.recordUsage({ key, tokens: { input: 5_000_000 } }))
  const again = await open(await world.restart(), 'S')
  await world.clause('Current size is computed from the present model view', async () => {
    const { bytes, messages } = await contextOf(again)
    expect(bytes).toBe(before)
    expect(bytes).toBeLessThan(2_000)
    expect(messages).toHaveLength(6)
    sure(await compact(again, { keep: 2 }))
    expect((await contextOf(again)).bytes).toBeLessThan(before)
  })
  await world.clause('lifetime totals never trigger compaction', async () => {
    expect(sure(await again.usage()).total.input).toBe(10_000_000)
    const compactions = (await storedOf(again, 'Compacted')).map(({ data }) => data.sizes)
    expect(compactions).toEqual([{ bytesBefore: before, bytesAfter: (await contextOf(again)).bytes }])
  })
})

scenario('B087', 'a cap on rows that cuts what was never summarised', async (world) => {
  const S = await start(world.first, 'S')
  const tiny = Array.from({ length: 600 }, (_, n) => ({
    id: `m${n}`,
    role: n % 2 === 0 ? 'user' : 'assistant',
    text: `${n}`,
  }))
  sure(await S.append(tiny))
  await world.clause('Each message is in the context or covered by a summary', async () => {
    expect(await context(S)).toEqual(tiny.map(({ id }) => id))
  })
  await world.clause('a row limit causes a compaction, never a silent cut', async () => {
    const done = sure(await compact(S, { keep: 500, summary: '.' }))
    expect(done.covers + done.kept.length).toBe(600)
    expect(await context(S)).toEqual(['summary', ...tiny.slice(100).map(({ id }) => id)])
  })
})

scenario('B088', 'a size trigger that counts what is kept for people only', async (world) => {
  const S = await start(world.first, 'S')
  const given: (readonly string[])[] = []
  const say = async (n: number): Promise<void> => {
    sure(await S.append(turn(n)))
    const { bytes } = await contextOf(S)
    if (bytes <= 2_500) return
    given.push(await context(S))
    sure(await compact(S, { keep: 2, summary: `Turns up to ${n - 1}.` }))
  }
  let n = 0
  while (given.length === 0) await say((n += 1))
  const firstAt = n
  for (let more = 0; more < 3; more += 1) await say((n += 1))
  const afterThree = given.length
  while (given.length === 1) await say((n += 1))
  await world.clause('One compaction after the second step, two after the third', async () => {
    expect(afterThree).toBe(1)
    expect(await storedOf(S, 'Compacted')).toHaveLength(2)
  })
  await world.clause(
    'the second summariser input is the first summary plus events after its boundary, nothing older',
    () => expect(given[1]).toEqual(['summary', ...turnsFrom(firstAt, n).map(({ id }) => id)]),
  )
})

scenario('B089', 'everything before a marker in the run handed to no storage', async (world) => {
  const S = await start(world.first, 'S')
  const run = sure(await S.startTurn())
  sure(await S.append([question(1), call(1), { ...result(1), text: 'hot '.repeat(200) }], { turn: run.turn }))
  sure(await compact(S, { keep: 0, summary: 'It is hot.' }))
  sure(await S.append(answer(1), { turn: run.turn }))
  sure(await S.endTurn(run.turn))
  await world.clause('U1, T1, result, C1, A1 are all stored', async () => {
    const log = (await stored(S)).map((event) =>
      isKnown(event) && event.type === 'MessageAppended' ? event.data.id : event.type,
    )
    expect(log).toEqual(['SessionStarted', 'TurnStarted', 'U1', 'T1', 'R1', 'Compacted', 'A1', 'TurnEnded'])
  })
  await world.clause('a marker limits what the model sees, never what is saved', async () => {
    expect(await context(S)).toEqual(['summary', 'U1', 'A1'])
    expect(await transcript(S)).toEqual(['U1', 'T1', 'R1', 'A1'])
  })
})

const bytes = (seed: number) => Uint8Array.from({ length: 5_000 }, (_, index) => (index * seed) % 256)

scenario('B090', 'compacted items stored in a wire format', async (world) => {
  const S = await start(world.first, 'S')
  const attached = [
    { type: 'text', text: 'What is this?' },
    { type: 'image', mediaType: 'image/png', data: bytes(7) },
    { type: 'file', name: 'plan.pdf', mediaType: 'application/pdf', data: bytes(11) },
  ] as const
  sure(await S.append([{ id: 'U1', role: 'user', parts: attached }, answer(1)]))
  const original = (await contextOf(S)).messages[0]?.parts
  const outcomes = [await compact(S, { keep: 2, summary: '.' })]
  await appendTurns(S, 2, 3)
  outcomes.push(await compact(S, { keep: 6, summary: '.' }), await compact(S, { keep: 4, summary: '.' }))
  await world.clause('Works', async () => {
    expect(outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.code))).toEqual(['not-smaller', 'not-smaller', 'ok'])
    expect(await context(S)).toEqual(['summary', 'U2', 'A2', 'U3', 'A3'])
  })
  await world.clause("stored items are always in the engine's own format", async () => {
    const shown = (await transcriptOf(S)).entries[0]
    expect(shown?.kind === 'message' && shown.parts.map(({ type }) => type)).toEqual(['text', 'image', 'file'])
  })
  await world.clause('attachments intact', async () => {
    const shown = (await transcriptOf(S)).entries[0]
    const parts = shown?.kind === 'message' ? shown.parts : []
    expect(parts).toEqual(original)
    const blobs = parts.flatMap((part) => ('blob' in part && part.blob !== undefined ? [part.blob] : []))
    const read = await Promise.all(blobs.map((blob) => world.first.store.blob(blob)))
    expect(read.map((one) => one && [...one])).toEqual([[...bytes(7)], [...bytes(11)]])
  })
})

scenario('B091', 'an open request summarised away', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 8)
  sure(await S.append([question(9), call(1), result(1), call(2), result(2)]))
  sure(await compact(S, { keep: 1 }))
  await world.clause(
    'U9 is there word for word, after the summary and before its pairs (or the pairs are summarised but U9 is not): an unanswered user message is never summarised away',
    async () => {
      expect(await context(S)).toEqual(['summary', 'U9', 'T2', 'R2'])
      expect((await contextLinesOf(S))[1]).toBe(`U9: ${question(9).text}`)
      expect(unpaired((await contextOf(S)).messages)).toEqual([])
    },
  )
})
