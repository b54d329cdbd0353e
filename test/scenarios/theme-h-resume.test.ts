import { expect } from 'vitest'
import Database from 'better-sqlite3'
import { messageEventId, sessionStream } from '@refold/events'
import { sha256 } from '../support/sha256.ts'
import { scenario } from './scenario.ts'
import {
  answer,
  appendTurns,
  compact,
  context,
  listed,
  open,
  question,
  rotate,
  rows,
  start,
  stored,
  sure,
  transcript,
  turn,
  turnsFrom,
} from './words.ts'

const ids = (from: number, to: number): readonly string[] => turnsFrom(from, to).map(({ id }) => id ?? '')

scenario('B140', 'resume by name or old id opens the closed first piece', async (world) => {
  const S = await start(world.first, 'S', { title: 'proj' })
  await appendTurns(S, 1, 4)
  sure(await S.branch({ from: 'A2', id: 'branch of S' }))
  sure(await S.spawn({ id: 'delegate of S' }))
  sure(await rotate(S, 'S2'))
  await appendTurns(S, 5, 6)
  sure(await rotate(S, 'S3'))
  await appendTurns(S, 7, 7)
  const engine = await world.restart()
  for (const name of ['proj', 'S', 'S2', 'S3']) {
    const resumed = await open(engine, name)
    await world.clause('Each opens S3 with the full transcript', async () => {
      expect(await transcript(resumed)).toEqual(ids(1, 7))
      expect(sure(await resumed.append(question(8)))).toMatchObject({ landedIn: 'S3', session: 'S' })
      sure(await resumed.rewind({ to: 'A7' }))
    })
    await world.clause('only compaction links are followed, never branch or delegate links', () => {
      expect(resumed.id).toBe('S')
    })
  }
})

/* Refold keeps no links between messages that could dangle; what can dangle is a kept id, a rewind's or a branch's message. */
scenario('B141', 'messages point at parents that were never written', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 20)
  sure(await compact(S, { keep: 2 }))
  await appendTurns(S, 21, 40)
  const revision = (await stored(S)).length - 1
  const fact = (
    event: Parameters<typeof world.first.importFacts>[0]['sessions'][0]['facts'][0]['event'],
    n: number,
  ) => ({
    id: sha256(`dangling ${n}`).slice(0, 32),
    event,
  })
  const { appended } = await world.first.importFacts({
    tool: 'legacy',
    sessions: [
      {
        session: 'S',
        facts: [
          fact({ type: 'Rewound', data: { undoId: 'lost', lastThatStays: 'never-written', reason: 'import' } }, 1),
          fact({ type: 'MessageEdited', data: { message: 'never-written', parts: [] } }, 2),
          fact({ type: 'WireFormSet', data: { message: 'never-written', parts: null, why: 'legacy' } }, 3),
          fact(
            {
              type: 'Compacted',
              data: {
                compactionId: 'odd',
                base: revision,
                watermark: 3,
                held: '',
                kept: ['never-written', 'U2'],
                summary: 'odd',
                summaryRole: 'user',
                wireForms: [],
                covers: 1,
                sizes: { bytesBefore: 2, bytesAfter: 1 },
              },
            },
            4,
          ),
        ],
      },
    ],
  })
  expect(appended).toBe(4)
  const resumed = await open(await world.restart(), 'S')
  await world.clause('All messages shown in append order', async () => {
    expect(await transcript(resumed)).toEqual(ids(1, 40))
  })
  await world.clause('one dangling link never hides earlier or later data', async () => {
    sure(await resumed.append(turn(41)))
    expect(await transcript(resumed)).toEqual(ids(1, 41))
    expect((await context(resumed)).slice(-2)).toEqual(['U41', 'A41'])
  })
  await world.clause('the break is reported by a check command', async () => {
    await world.first.list()
    const { ok, findings } = await world.first.doctor()
    expect(ok).toBe(true)
    expect(findings.map(({ code, session }) => `${code} ${session}`)).toEqual(
      Array.from({ length: 4 }, () => 'reference-dangling S'),
    )
    expect(findings[0]?.message).toContain('Rewound at revision')
    expect(findings[0]?.message).toContain('names message never-written')
  })
})

scenario('B143', "an automatic 'continue' prompt is attached to an outdated head", async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 3)
  const cached = S.readUpTo
  await appendTurns(S, 4, 5)
  sure(await S.append({ ...question(6), text: 'May I delete the valve log?' }))
  const notice = { id: 'N', role: 'user', text: 'Continue.', provenance: 'engine' } as const
  await world.clause('The stale head is refused or corrected (expected-head check)', async () => {
    const refused = await S.append(notice, { expect: cached })
    expect(refused).toMatchObject({ ok: false, code: 'moved-on', expected: cached, actual: S.readUpTo })
    sure(await S.append(notice, { expect: S.readUpTo }))
  })
  sure(await S.append(answer(6)))
  await appendTurns(S, 7, 8)
  const resumed = await open(await world.restart(), 'S')
  await world.clause('transcript has all 8 turns', async () => {
    expect((await transcript(resumed)).filter((id) => id !== 'N')).toEqual(ids(1, 8))
  })
  await world.clause(
    'the notice is marked as engine-made and never counts as an answer to a pending question',
    async () => {
      const { entries } = sure(await resumed.transcript())
      expect(entries.find(({ id }) => id === 'N')).toMatchObject({ provenance: 'engine' })
      // A question that only a notice follows is still open: no compaction may cover it.
      sure(await resumed.append(question(9)))
      sure(await resumed.append({ ...notice, id: 'N2' }))
      expect(sure(await compact(resumed, { keep: 0 })).kept).toContain('U9')
    },
  )
})

scenario('B144', 'a snapshot record reuses the id of the next message', async (world) => {
  const S = await start(world.first, 'S')
  for (let n = 1; n <= 10; n += 1) {
    sure(await S.append(turn(n)))
    sure(await S.note({ kind: 'snapshot', note: `note-${n}`, text: `note ${n}`, shownTo: 'person' }))
    sure(await S.recordUsage({ key: `U${n}`, tokens: { input: 1 } }))
  }
  const before = await stored(S)
  await world.clause('Refused', async () => {
    expect(await S.append({ ...answer(3), text: 'Something else.' })).toMatchObject({
      ok: false,
      code: 'message-conflict',
      messageId: 'A3',
    })
    expect(await S.note({ kind: 'snapshot', note: 'note-3', text: 'something else', shownTo: 'person' })).toMatchObject(
      {
        ok: false,
        code: 'note-conflict',
        note: 'note-3',
      },
    )
    expect(await world.first.start({ id: 'S' })).toMatchObject({ ok: false, code: 'id-taken' })
    expect(await stored(S)).toEqual(before)
  })
  // An entry is named by its kind and its id together, so a note or a usage record can never stand in a message's place.
  await world.clause('ids are unique per store across all record kinds', async () => {
    sure(await S.note({ kind: 'snapshot', note: 'U11', text: 'a record before its message', shownTo: 'person' }))
    sure(await S.append(turn(11)))
    expect(await transcript(await open(await world.restart(), 'S'))).toEqual(ids(1, 11))
    const events = await stored(await open(world.first, 'S'))
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  })
})

/* "Continue latest" is the first row of the list, of a workspace or of all: an answer like any other, and it creates nothing. */
scenario('B145', "'continue last' ignores resumed sessions or begins a new one", async (world) => {
  const latest = async (workspace: string): Promise<string> => {
    const [first] = await rows(world.first, { workspace, limit: 1 })
    return first?.id ?? 'nothing to continue'
  }
  await start(world.first, 'A', { workspace: '/w' })
  world.source.advance(1_000)
  sure(await (await start(world.first, 'B', { workspace: '/w' })).append(turn(1)))
  world.source.advance(1_000)
  sure(await (await open(world.first, 'A')).append(turn(1)))
  await world.clause('A', async () => {
    expect(await latest('/w')).toBe('A')
  })
  world.source.advance(1_000)
  await start(world.first, 'P', { workspace: '/w', surface: 'pipe' })
  await world.clause('P', async () => {
    expect(await latest('/w')).toBe('P')
  })
  await world.clause("a typed 'nothing to continue' - never a silent new session", async () => {
    const head = await world.first.store.logHead()
    expect(await world.first.list({ workspace: '/empty' })).toEqual({ sessions: [], total: 0, cursor: null })
    expect(await latest('/empty')).toBe('nothing to continue')
    expect(await world.first.store.logHead()).toEqual(head)
    expect(await listed(world.first)).toHaveLength(3)
  })
})

scenario('B146', 'asked for one id, the tool starts another session', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 3)
  const head = await world.first.store.logHead()
  await world.clause("Typed errors ('unknown', 'damaged at event n')", async () => {
    expect(await world.first.session('no-such-session')).toMatchObject({ ok: false, code: 'session-not-found' })
    await world.first.close()
    const database = new Database(world.file)
    database.exec(`UPDATE events SET payload = '{"half' WHERE position = ${head.position - 2}`)
    database.close()
    const engine = await world.restart()
    const damaged = {
      code: 'store-damaged',
      fields: { problem: `the event at position ${head.position - 2} is no JSON` },
    }
    await expect(open(engine, 'S').then((session) => session.transcript())).rejects.toMatchObject(damaged)
    await expect(open(engine, 'S').then((session) => session.context())).rejects.toMatchObject(damaged)
  })
  await world.clause('no session is created', async () => {
    expect((await world.first.store.logHead()).position).toBe(head.position)
  })
})

scenario('B158', 'switching session inside a running program leaves the old working directory', async (world) => {
  const facts = { A: ['/W1', 'model-a', 'goal of A', 'cli'], B: ['/W2', 'model-b', 'goal of B', 'chat'] } as const
  for (const [id, [workspace, model, goal, surface]] of Object.entries(facts)) {
    const session = await start(world.first, id, { workspace, model, surface, title: `title of ${id}` })
    sure(await session.set({ key: 'goal', value: goal }))
    sure(await session.append(turn(1)))
    sure(await rotate(session, `${id}2`))
  }
  sure(await (await open(world.first, 'B')).append(turn(2)))
  await world.clause("All session-scoped state is A's, by whichever entry point", async () => {
    const other = await world.engine()
    for (const engine of [world.first, other])
      for (const name of ['A', 'A2', 'title of A']) {
        const resumed = await open(engine, name)
        expect(resumed.id).toBe('A')
        expect(sure(await resumed.settings())).toContainEqual({ key: 'goal', value: 'goal of A' })
        const row = (await rows(engine)).find(({ id }) => id === resumed.id)
        expect(row).toMatchObject({ workspace: '/W1', model: 'model-a', title: 'title of A', origin: { kind: 'root' } })
        expect((await stored(resumed))[0]).toMatchObject({ data: { surface: 'cli', workspace: '/W1' } })
      }
  })
})

scenario('B159', 'after a project folder moved the history is blank and overwritten', async (world) => {
  const S = await start(world.first, 'S', { workspace: '/W' })
  await appendTurns(S, 1, 5)
  const resumed = await open(await world.restart(), 'S')
  sure(await resumed.append(turn(6)))
  await world.clause('6 turns', async () => {
    expect(await transcript(resumed)).toEqual(ids(1, 6))
  })
  await world.clause('cwd can be updated', async () => {
    sure(await resumed.set({ key: 'workspace', value: '/W2' }))
    expect(await listed(world.first, { workspace: '/W2' })).toEqual(['S'])
  })
  await world.clause('a reader that could not load history must not write', async () => {
    // There is no save that replaces: a handle that read nothing adds to what is there, and is told what it has not read.
    const head = await world.first.store.logHead()
    const blind = await open(await world.engine(), 'S')
    await appendTurns(resumed, 7, 7)
    const refused = await blind.append(turn(8), { expect: blind.readUpTo })
    expect(refused).toMatchObject({ ok: false, code: 'moved-on' })
    expect(sure(await blind.append(turn(8)))).toMatchObject({ appended: 2, unread: 2 })
    expect(await transcript(resumed)).toEqual(ids(1, 8))
    expect((await world.first.store.logHead()).position).toBe(head.position + 4)
  })
})

scenario('B160', 'on heavily compacted threads resume leaves out the newest turns', async (world) => {
  const S = await start(world.first, 'S')
  for (let round = 0; round < 30; round += 1) {
    sure(await S.append(turnsFrom(round * 3 + 1, round * 3 + 3)))
    sure(await compact(S, { keep: 4 }))
  }
  sure(await S.append(turn(91)))
  const resumed = await open(await world.restart(), 'S')
  await world.clause('91 turns', async () => {
    expect(await transcript(resumed)).toEqual(ids(1, 91))
  })
  await world.clause('last item is A', async () => {
    expect((await transcript(resumed)).at(-1)).toBe('A91')
    expect((await context(resumed)).at(-1)).toBe('A91')
  })
})

scenario('B163', 'two early records stored twice make the tree view hang', async (world) => {
  const stream = sessionStream({ namespace: 'default', session: 'S' })
  const facts = [
    { id: '1'.repeat(32), event: { type: 'SessionStarted', data: { session: 'S', origin: { kind: 'root' } } } },
    ...['U1', 'A1'].map((id) => ({
      id: messageEventId(sha256, stream, id),
      event: {
        type: 'MessageAppended',
        data: {
          id,
          role: 'user',
          parts: [{ type: 'text', text: id }],
          provenance: 'person',
          shownTo: 'both',
        },
      } as const,
    })),
  ] as const
  const report = await world.first.importFacts({
    tool: 'legacy',
    sessions: [
      { session: 'S', facts: [facts[0], facts[1], facts[0], facts[1], facts[2]].filter((one) => one !== undefined) },
    ],
  })
  const engine = await world.restart()
  await world.clause('Opens promptly', async () => {
    const S = await open(engine, 'S')
    expect(await transcript(S)).toEqual(['U1', 'A1'])
    expect(sure(await S.lineage())).toMatchObject({ parents: [], children: [] })
  })
  await world.clause('duplicates ignored and reported', () => {
    expect(report).toMatchObject({ appended: 3, alreadyThere: 2 })
  })
})

scenario('B164', 'resuming inside a running program does not save to the old conversation', async (world) => {
  const S = await start(world.first, 'S')
  await appendTurns(S, 1, 2)
  const engine = await world.restart()
  await start(engine, 'T')
  const inside = await open(engine, 'S')
  await appendTurns(inside, 3, 3)
  const later = await world.restart()
  await world.clause('S has 3 turns, T none', async () => {
    expect(await transcript(await open(later, 'S'))).toEqual(ids(1, 3))
    expect(await transcript(await open(later, 'T'))).toEqual([])
  })
  await world.clause('all entry points bind reader and writer to the same conversation', async () => {
    expect(inside.id).toBe('S')
    const events = await stored(await open(later, 'S'))
    expect(new Set(events.map(({ stream }) => stream)).size).toBe(1)
  })
})

/* Refold sets no limit on resuming. What a host would count for one is what the reader loads: the context's own messages. */
scenario('B165', 'a limit for resuming counts raw records', async (world) => {
  const limit = 100
  const S = await start(world.first, 'S')
  for (let n = 1; n <= 30; n += 1) {
    sure(await S.append(turn(n)))
    if (n % 3 !== 0) continue
    const compacted = await compact(S, { keep: 10 })
    // Six messages are no more than the ten that stay.
    expect(compacted).toMatchObject(n === 3 ? { ok: false, code: 'not-smaller' } : { ok: true })
  }
  const resumed = await open(await world.restart(), 'S')
  await world.clause(
    'Resumes (60 messages): a guard counts exactly what the guarded reader loads, and its refusal names both numbers',
    async () => {
      const [row] = await rows(world.first)
      expect(row?.messages).toBe(60)
      expect(await transcript(resumed)).toHaveLength(60)
      const { messages } = sure(await resumed.context())
      expect(messages.map(({ standsFor }) => standsFor)).toEqual([
        'summary',
        ...Array.from({ length: 10 }, () => 'message'),
      ])
      expect(messages.length).toBeLessThan(limit)
    },
  )
})
