import type { SessionHandle } from '@refold/engine'
import { expect } from 'vitest'
import { empty } from './pairing.ts'
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

const DAY = 86_400_000

scenario('B073', 'quick messages glued into one block', async (world) => {
  const S = await start(world.first, 'S')
  for (const n of [1, 2, 3]) sure(await S.append(question(n)))
  const whole = [1, 2, 3].map((n) => `U${n}: ${question(n).text}`)
  await world.clause('Transcript has three messages', async () => expect(await linesOf(S)).toEqual(whole))
  await world.clause(
    'If a provider needs one block, the rendering keeps boundaries and order visible and stored messages stay separate',
    async () => {
      expect(await contextLinesOf(S)).toEqual(whole)
      expect(await storedMessages(S)).toEqual(['U1', 'U2', 'U3'])
    },
  )
})

scenario('B074', 'a failed request carried out days later', async (world) => {
  const S = await start(world.first, 'S')
  const failed = sure(await S.startTurn())
  const asked = world.source.now()
  sure(await S.append(question(1), { turn: failed.turn }))
  sure(await S.endTurn(failed.turn, { outcome: 'failed' }))
  world.source.advance(3 * DAY)
  sure(await S.append(question(2)))
  const shown = (await transcriptOf(S)).entries
  await world.clause(
    "U1 is marked 'failed/unanswered' with its own time and is not presented as part of U2's request",
    async () => {
      expect(shown[0]).toMatchObject({ id: 'U1', state: 'failed', at: asked })
      expect(shown[1]).toMatchObject({ id: 'U2', state: 'complete', at: asked + 3 * DAY })
      expect(await context(S)).toEqual(['U2'])
    },
  )
  await world.clause('transcript shows U1 as failed', () => {
    expect(shown.map((entry) => (entry.kind === 'message' ? [entry.id, entry.state] : entry.kind))).toEqual([
      ['U1', 'failed'],
      ['U2', 'complete'],
    ])
  })
  await world.clause('resend only on explicit retry', async () => {
    sure(await S.append([question(1), question(2)]))
    expect(await context(S)).toEqual(['U2'])
    sure(await S.append({ ...question(1), id: 'U1 again' }))
    expect(await context(S)).toEqual(['U2', 'U1 again'])
  })
})

scenario('B077', 'success judged by the number of messages', async (world) => {
  const S = await start(world.first, 'S')
  const results = Array.from({ length: 20 }, (_, n) => n + 1)
  sure(await S.append(question(0)))
  for (const n of results) sure(await S.append([call(n), { ...result(n), text: `${n} `.repeat(20_000) }]))
  const before = (await contextOf(S)).bytes
  const ids = await context(S)
  const compaction = { ...(await honestCompaction(S, { keep: 41 })), summary: 'Outputs were shortened.' }
  const wireForms = results.map((n) => ({
    message: `R${n}`,
    parts: [{ type: 'tool-result' as const, toolCallId: `call-${n}`, text: `${n}, and so on` }],
  }))
  const outcome = await S.compact({ ...compaction, wireForms })
  await world.clause("Outcome 'reduced' with sizes before/after", async () => {
    const { bytesBefore, bytesAfter } = sure(outcome)
    const now = await contextOf(S)
    expect([bytesBefore, bytesAfter]).toEqual([before, now.bytes])
    expect(bytesAfter).toBeLessThan(bytesBefore / 100)
  })
  await world.clause('no reset', async () => {
    expect(await context(S)).toEqual(['summary', ...ids])
    expect(await rowOf(world.first, 'S')).toMatchObject({ status: 'waiting', segments: ['S'], messages: 41 })
  })
})

scenario('B078', 'compaction that never gets below the limit', async (world) => {
  const limit = 40
  const S = await start(world.first, 'S', { systemPrompt: 'You are careful about valves and water.' })
  sure(await S.append(question(1)))
  // A host's automatic compaction: a few attempts, then it says so, and obeys what was said before.
  const automatic = async (session: SessionHandle): Promise<readonly string[]> => {
    const view = await contextOf(session)
    if (view.bytes <= limit) return []
    if ((view.cooldownUntil ?? 0) > world.source.now()) return ['waits']
    const tried: string[] = []
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const outcome = await compact(session, { keep: 0, summary: 'One question about valve one.' })
      tried.push(outcome.ok ? 'compacted' : outcome.code)
      if (outcome.ok) return tried
    }
    sure(await session.compactionFailed('cannot reduce', { cooldownUntil: world.source.now() + DAY }))
    return tried
  }
  const first = await automatic(S)
  const again = await open(await world.restart(), 'S')
  await world.clause(
    "A small fixed number of attempts, then a typed 'cannot reduce' error kept across restart",
    async () => {
      expect(first).toEqual(['not-smaller', 'not-smaller', 'not-smaller'])
      expect(await automatic(again)).toEqual(['waits'])
      const cooldownUntil = world.source.now() + DAY
      expect(await contextOf(again)).toMatchObject({ compactionFailures: 1, cooldownUntil })
      expect((await storedOf(again, 'CompactionFailed'))[0]?.data).toEqual({ reason: 'cannot reduce', cooldownUntil })
    },
  )
  await world.clause('no new summary stored for attempts that did not reduce', async () => {
    expect(await storedOf(again, 'Compacted')).toEqual([])
    expect(await storedOf(again, 'CompactionFailed')).toHaveLength(1)
  })
  await world.clause('never falls back to the full transcript', async () => {
    sure(await again.append(turnsFrom(2, 9)))
    sure(await compact(again, { keep: 2 }))
    expect(await contextOf(again)).toMatchObject({ compactionFailures: 0, cooldownUntil: null })
    for (let time = 0; time < 30; time += 1) await compact(again, { keep: 2 })
    expect(await context(again)).toEqual(['summary', 'U9', 'A9'])
  })
})

scenario('B079', 'compaction requests kept as user messages', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 10)
  const sizes: number[] = []
  for (let n = 11; n <= 20; n += 1) {
    sure(
      await S.append({
        id: `P${n}`,
        role: 'user',
        text: `Please summarise: ${'all '.repeat(500)}`,
        provenance: 'engine',
        shownTo: 'person',
      }),
    )
    sure(await compact(S, { keep: 4, summary: `Turns up to ${n - 1}.` }))
    sure(await S.append(turn(n)))
    sizes.push((await contextOf(S)).bytes)
  }
  await world.clause('Context contains one summary and no compaction request', async () => {
    expect(await context(S)).toEqual(['summary', 'U18', 'A18', 'U19', 'A19', 'U20', 'A20'])
    expect((await contextLinesOf(S)).join('\n')).not.toContain('Please summarise')
  })
  await world.clause('size is bounded by summary + tail', () => {
    // From the third on all numbers in the texts have two digits.
    expect(new Set(sizes.slice(2)).size).toBe(1)
  })
})

scenario('B080', 'a reply with neither text nor calls', async (world) => {
  const S = await start(world.first, 'S')
  const begun = sure(await S.startTurn())
  sure(await S.append(question(1), { turn: begun.turn }))
  sure(await S.append({ id: 'A1', role: 'assistant', parts: [], partial: 1 }, { turn: begun.turn }))
  const again = await open(await world.restart(), 'S')
  world.source.advance(10 * 60_000)
  sure(await again.append(question(2)))
  sure(await again.append({ id: 'A2', role: 'assistant', text: '' }))
  sure(await again.append({ id: 'A3', role: 'assistant', parts: [] }))
  sure(await again.append(question(3)))
  const before = await stored(again)
  await world.clause('No empty assistant message in the context', async () => {
    const { messages } = await contextOf(again)
    expect(empty(messages)).toEqual([])
    expect(await context(again)).toEqual(['U1', 'U2', 'U3'])
  })
  await world.clause("the transcript may show 'interrupted'", async () => {
    const shown = (await transcriptOf(again)).entries.find(({ id }) => id === 'A1')
    expect(shown).toMatchObject({ state: 'partial' })
  })
  await world.clause('S stays usable', async () => {
    sure(await again.append([answer(4), ...turn(5)]))
    const { messages, ...held } = await contextOf(again)
    let base = held.revision
    // Who lists what was sent and who lists everything that is stored may compact alike.
    for (const list of [messages.map(({ id }) => id), await storedMessages(again)]) {
      const done = sure(await again.compact({ base, watermark: base, held: list, keep: ['A5'], summary: '.' }))
      expect([done.covers, done.kept]).toEqual([4, ['U5', 'A5']])
      base = sure(await again.undoCompaction()).revision
    }
  })
  await world.clause('repair does not alter stored events', async () => {
    expect((await stored(again)).slice(0, before.length)).toEqual(before)
  })
})

scenario('B081', 'a retry that removes the stored input for good', async (world) => {
  const S = await start(world.first, 'S')
  const first = sure(await S.startTurn())
  sure(await S.append([question(1), { id: 'A1-first', role: 'assistant', text: 'Val' }], { turn: first.turn }))
  sure(await S.endTurn(first.turn, { outcome: 'failed' }))
  sure(await S.rewind({ to: 'U1' }))
  const second = sure(await S.startTurn())
  // The runtime saves its whole list again, as it did the first time.
  sure(await S.append([question(1), answer(1)], { turn: second.turn }))
  sure(await S.endTurn(second.turn))
  await world.clause('U1, A1', async () => {
    expect(await transcript(S)).toEqual(['U1', 'A1'])
    expect(await context(S)).toEqual(['U1', 'A1'])
  })
})

scenario('B082', 'nothing stored after the first compaction', async (world) => {
  const S = await start(world.first, 'S')
  const all = turnsFrom(1, 12).slice(0, 23)
  sure(await S.append(all.slice(0, 21)))
  sure(await compact(S, { keep: 4 }))
  const kept = new Set(await context(S))
  // The host's list is shorter now: what is kept, and what is new.
  sure(await S.append(all.filter(({ id = '' }, index) => kept.has(id) || index >= 21)))
  await world.clause('23 stored messages', async () => {
    expect(await storedMessages(S)).toEqual(all.map(({ id }) => id))
    expect(await rowOf(world.first, 'S')).toMatchObject({ messages: 23 })
  })
})
