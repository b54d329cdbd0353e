import type { SessionHandle, TranscriptEntry, TranscriptPage } from '@refold/engine'
import { expect } from 'vitest'
import { call, callsOn } from '../cli/call.ts'
import { placesOf } from '../search/found.ts'
import { scenario, waiting } from './scenario.ts'
import {
  answer,
  appendTurns,
  compact,
  context,
  contextLinesOf,
  contextOf,
  honestCompaction,
  linesOf,
  open,
  question,
  rotate,
  rowOf,
  start,
  storedMessages,
  storedOf,
  sure,
  transcript,
  transcriptOf,
  turn,
  turnsFrom,
} from './words.ts'

const idsFrom = (from: number, to: number) => turnsFrom(from, to).map(({ id }) => id)

/** All entries, page by page from the newest, as a person scrolls. */
async function paged(session: SessionHandle, limit: number): Promise<readonly TranscriptEntry[]> {
  let entries: readonly TranscriptEntry[] = []
  let cursor: string | null = null
  do {
    const page: TranscriptPage = sure(await session.transcript({ limit, ...(cursor === null ? {} : { cursor }) }))
    entries = [...page.entries, ...entries]
    ;({ cursor } = page)
  } while (cursor !== null)
  return entries
}

const messagesIn = (entries: readonly TranscriptEntry[]) =>
  entries.flatMap((entry) => (entry.kind === 'message' ? [entry] : []))

/** What an outline shows: what people asked. */
const questionsIn = (entries: readonly TranscriptEntry[]) =>
  messagesIn(entries).filter(({ role, provenance }) => role === 'user' && provenance === 'person')

scenario('B044', 'a visible chat that begins at the last compaction', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 20)
  const before = messagesIn(await paged(S, 100))
  sure(await compact(S, { keep: 4, summary: 'Twenty turns.' }))
  await appendTurns(S, 21, 22)
  sure(await compact(S, { keep: 4, summary: 'Two more.' }))
  await world.clause('44 messages, oldest U1, with optional boundary markers', async () => {
    const { entries } = await transcriptOf(S)
    expect(messagesIn(entries).map(({ id }) => id)).toEqual(idsFrom(1, 22))
    expect(entries.filter(({ kind }) => kind !== 'message').map(({ kind }) => kind)).toEqual([
      'compaction',
      'compaction',
    ])
  })
  await world.clause('paging reaches U1', async () => {
    expect(messagesIn(await paged(S, 7)).map(({ id }) => id)).toEqual(idsFrom(1, 22))
  })
  await world.clause('compaction never changes what a person can read', async () => {
    expect(messagesIn(await paged(S, 100)).slice(0, 40)).toEqual(before)
  })
})

scenario('B045', 'a carrier that replaces a reply or shows up as the newest one', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 6)
  sure(await S.append(question(7)))
  const whole = await honestCompaction(S, { keep: 3, summary: 'SUMMARY: six turns.' })
  const carried = [
    { message: 'U7', parts: [{ type: 'text', text: `SUMMARY: six turns. ${question(7).text}` }] },
  ] as const
  sure(await S.compact({ ...whole, carrier: 'U7', wireForms: carried }))
  sure(await S.append(answer(7)))
  await world.clause('Original replies unchanged', async () => {
    expect(await linesOf(S)).toEqual(turnsFrom(1, 7).map(({ id, text }) => `${id}: ${text}`))
  })
  await world.clause(
    'the summary is not an assistant or user row (at most a marker at its chronological place)',
    async () => {
      const { entries } = await transcriptOf(S)
      expect(entries.map(({ kind, id }) => (kind === 'message' ? id : kind))).toEqual([
        ...idsFrom(1, 6),
        'U7',
        'compaction',
        'A7',
      ])
      expect((await linesOf(S)).join('\n')).not.toContain('SUMMARY')
    },
  )
  await world.clause('the user part of a shared carrier shows exactly what the user typed', async () => {
    expect(await linesOf(S)).toContain(`U7: ${question(7).text}`)
    expect(await contextLinesOf(S)).toEqual([
      `U6: ${question(6).text}`,
      `A6: ${answer(6).text}`,
      `U7: SUMMARY: six turns. ${question(7).text}`,
      `A7: ${answer(7).text}`,
    ])
  })
})

scenario('B048', 'replies that leave the visible log at a rotation', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 3)
  sure(await rotate(S, 'S2', { keep: 2 }))
  await world.clause('Transcript still alternates U1,A1,U2,A2,U3,A3', async () => {
    const messages = messagesIn((await transcriptOf(await open(world.first, 'S2'))).entries)
    expect(messages.map(({ id }) => id)).toEqual(['U1', 'A1', 'U2', 'A2', 'U3', 'A3'])
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant'])
  })
  await world.clause('model context has a summary then U3,A3 and no two unrelated user messages merged', async () => {
    expect(await contextLinesOf(S)).toEqual([
      'summary: So far: valves.',
      `U3: ${question(3).text}`,
      `A3: ${answer(3).text}`,
    ])
  })
})

scenario('B050', 'a resumed session of which another client shows only the end', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 3)
  for (const [from, to] of [
    [4, 5],
    [6, 6],
  ] as const) {
    sure(await S.end({ reason: 'closed' }))
    sure(await S.reopen())
    await appendTurns(S, from, to)
  }
  const second = await open(await world.engine(), 'S')
  await world.clause('6 turns', async () => expect(await transcript(second)).toEqual(idsFrom(1, 6)))
  await world.clause('no dependence on how often or where it was resumed', async () => {
    for (let time = 0; time < 3; time += 1) {
      const resumed = await open(await world.restart(), 'S')
      sure(await resumed.end({ reason: 'closed' }))
      sure(await resumed.reopen())
      expect(await transcript(resumed)).toEqual(idsFrom(1, 6))
      expect(await context(resumed)).toEqual(idsFrom(1, 6))
    }
  })
})

const notice = (id: string) => ({ id, role: 'user', text: 'A job has finished.', provenance: 'engine' }) as const

scenario('B052', 'runtime notices stored as if the user had typed them', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append([...turn(1), { ...notice('N1'), shownTo: 'model' }]))
  sure(await S.append([{ id: 'A2', role: 'assistant', text: 'Noted.' }, question(2), { ...answer(2), id: 'A3' }]))
  // The same where the notice comes first and is shown to people, too.
  const early = await start(world.first, 'early')
  sure(await early.append([notice('N1'), ...turn(2)]))
  await world.clause(
    'N1 is marked as runtime origin: not in user-role search, not a rewind target, not a title/preview source',
    async () => {
      for (const [session, asked] of [
        [S, ['U1', 'U2']],
        [early, ['U2']],
      ] as const) {
        expect(questionsIn((await transcriptOf(session)).entries).map(({ id }) => id)).toEqual(asked)
        const marked = (await storedOf(session, 'MessageAppended')).find(({ data }) => data.id === 'N1')
        expect(marked?.data.provenance).toBe('engine')
      }
      expect(await placesOf(world.first, 'job', { role: 'user' })).toEqual([])
      expect(await placesOf(world.first, 'question', { role: 'user' })).toEqual(['S/U1', 'S/U2', 'early/U2'])
      expect((await rowOf(world.first, 'S'))?.preview).toMatch(/^Question 1/u)
      expect((await rowOf(world.first, 'early'))?.preview).toMatch(/^Question 2/u)
    },
  )
  await world.clause('transcript shows it as a notice or not at all', async () => {
    expect(await transcript(S)).toEqual(['U1', 'A1', 'A2', 'U2', 'A3'])
    const [shown] = messagesIn((await transcriptOf(early)).entries)
    expect(shown).toMatchObject({ id: 'N1', provenance: 'engine' })
  })
  await world.clause('model context still contains it', async () => {
    expect(await context(S)).toEqual(['U1', 'A1', 'N1', 'A2', 'U2', 'A3'])
  })
})

scenario('B053', 'an order taken from clocks', async (world) => {
  const S = await start(world.first, 'S')
  const ahead = world.source.now() + 3_000
  sure(await S.append({ ...question(1), id: 'zz-client', at: ahead }))
  sure(await S.append({ ...answer(1), id: 'aa-server' }))
  sure(
    await S.append([
      { ...question(2), at: ahead },
      { ...answer(2), at: ahead },
    ]),
  )
  world.source.advance(-10_000)
  sure(await S.append(question(3)))
  sure(await S.append({ ...answer(3), at: 0 }))
  await world.clause("U1,A1,U2,A2,U3,A3: order is the store's append sequence, not any clock or id text", async () => {
    const order = ['zz-client', 'aa-server', 'U2', 'A2', 'U3', 'A3']
    expect(await transcript(S)).toEqual(order)
    expect(await context(S)).toEqual(order)
    expect(messagesIn(await paged(S, 1)).map(({ id }) => id)).toEqual(order)
  })
})

const summariesIn = async (session: SessionHandle) =>
  (await transcriptOf(session)).entries.flatMap((entry) =>
    entry.kind === 'compaction' ? [entry.details['summary']] : [],
  )

scenario('B054', 'a fork that copies and points', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 4)
  sure(await compact(S, { keep: 2, summary: 'First.' }))
  await appendTurns(S, 5, 6)
  sure(await compact(S, { keep: 2, summary: 'Second.' }))
  sure(await S.branch({ from: 'A6', id: 'F' }))
  sure(await S.branch({ from: 'A4', id: 'G' }))
  const [F, G] = [await open(world.first, 'F'), await open(world.first, 'G')]
  await world.clause(
    'Two compactions, each message once: inherited history is either copied or referenced, never both',
    async () => {
      expect(await summariesIn(F)).toEqual(['First.', 'Second.'])
      expect(await summariesIn(G)).toEqual(['First.'])
      expect((await contextLinesOf(G))[0]).toBe('summary: First.')
      expect(await transcript(F)).toEqual(idsFrom(1, 6))
      expect(await storedMessages(F)).toEqual([])
    },
  )
})

scenario('B055', 'texts that were shown and never stored', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 6)
  sure(await compact(S, { keep: 4 }))
  const long = sure(await S.startTurn({ holder: 'agent' }))
  const keyboard = await open(await world.engine(), 'S')
  sure(await keyboard.append(question(7)))
  sure(await keyboard.append(question(8)))
  sure(await S.endTurn(long.turn, { outcome: 'cancelled' }))
  const begun = await honestCompaction(S, { keep: 2, summary: 'Valves.' })
  await Promise.all([keyboard.append(question(9)), S.compact(begun)])
  const again = await open(await world.restart(), 'S')
  await world.clause(
    'U7, U8, U9 are present in submission order: a message is durable before anything else is done with it',
    async () => {
      expect(await transcript(again)).toEqual([...idsFrom(1, 6), 'U7', 'U8', 'U9'])
      expect((await context(again)).slice(-3)).toEqual(['U7', 'U8', 'U9'])
    },
  )
})

scenario('B058', 'read paths that disagree about one session', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append(turnsFrom(1, 50)))
  sure(await compact(S, { keep: 10, summary: 'Fifty.' }))
  sure(await S.append(turnsFrom(51, 80)))
  sure(await compact(S, { keep: 10, summary: 'Eighty.' }))
  const outline = questionsIn(await paged(S, 25))
  const { output } = await call(['--db', world.file, 'show', 'S', '--markdown', '--limit', '1000'])
  await world.clause('80 in each', async () => {
    expect(questionsIn((await transcriptOf(S)).entries)).toHaveLength(80)
    expect(outline).toHaveLength(80)
    expect(await rowOf(world.first, 'S')).toMatchObject({ messages: 160 })
    const shown = await callsOn(world.file)(['show', 'S', '--limit', '1000'])
    expect(shown.entries.filter(({ role }: { role?: string }) => role === 'user')).toHaveLength(80)
    expect(output.match(/Question \d+:/gu)).toHaveLength(80)
  })
  await world.clause('every jump lands on its message', async () => {
    for (const { id, revision } of outline) {
      const [landed] = await S.events({ from: revision, limit: 1 })
      expect(landed).toMatchObject({ type: 'MessageAppended', data: { id } })
    }
  })
  await world.clause('human views are addressed by event position, never by position in the model view', async () => {
    expect((await contextOf(S)).messages).toHaveLength(11)
    const revisions = outline.map(({ revision }) => revision)
    expect(revisions).toEqual(
      (await storedOf(S, 'MessageAppended')).filter((_, index) => index % 2 === 0).map((event) => event.revision),
    )
  })
})
waiting('B058', 'feed', '80 in each')

scenario('B060', 'a reader that stops at ten thousand records', async (world) => {
  const S = await start(world.first, 'S')
  sure(await S.append(turnsFrom(1, 4_995)))
  sure(await compact(S, { keep: 10 }))
  sure(await S.append(turnsFrom(4_996, 6_000)))
  await world.clause('All messages', async () => {
    expect(messagesIn(await paged(S, 1_000)).map(({ id }) => id)).toEqual(idsFrom(1, 6_000))
  })
  await world.clause('a limited answer always carries a continuation token and the reader follows it', async () => {
    const first = sure(await S.transcript({ limit: 100 }))
    expect(first.entries).toHaveLength(100)
    expect(first.cursor).not.toBeNull()
    const unlimited = sure(await S.transcript())
    expect(unlimited.entries).toHaveLength(100)
    expect(unlimited.cursor).not.toBeNull()
  })
})
