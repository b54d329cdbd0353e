import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { RefoldError } from '@refold/events'
import type { AttachmentInput, Engine, MessageInput } from '@refold/engine'
import { importedSession } from './imported-session.ts'
import { scenario, waiting, type ScenarioWorld } from './scenario.ts'
import { watchedEngine } from './watched-engine.ts'
import {
  answer,
  appendTurns,
  compact,
  context,
  contextOf,
  listed,
  open,
  question,
  rows,
  start,
  stored,
  sure,
  transcript,
  transcriptOf,
  turn,
  turnsFrom,
} from './words.ts'

/*
 * Costs are counted here (events and rows looked at, bytes kept), never timed, and at a part of the catalogue's sizes: what grows
 * with the whole store shows at any size. Times and full sizes are the benchmarks' part.
 */

/** Bytes of the log file once everything is in it, and what one of its tables holds. */
async function logBytes(world: ScenarioWorld): Promise<number> {
  await world.restart()
  return statSync(world.file).size
}

function blobsIn(file: string): number {
  const database = new Database(file, { readonly: true })
  const count = database.prepare<[], number>('SELECT count(*) FROM blobs').pluck().get()
  database.close()
  return count ?? 0
}

scenario('B193', 'row explosions: 15 messages become 3,814 rows', async (world) => {
  await start(world.first, 'S')
  let keptBytes = 0
  const measured: { events: number; bytes: number; messages: number }[] = []
  for (let round = 1; round <= 150; round += 1) {
    const S = await open(world.first, 'S')
    for (let save = 1; save <= 3; save += 1) sure(await S.append(turn(round)))
    if (round > 2) sure(await compact(S, { keep: 4 }))
    if (round % 25 !== 0) continue
    const events = await stored(S)
    const bytes = JSON.stringify(events.map(({ data }) => data)).length
    measured.push({ events: events.length, bytes: bytes - keptBytes, messages: (await context(S)).length })
    keptBytes = bytes
    await world.restart()
  }
  await world.clause(
    'Events grow linearly (a few per round), context stays bounded, bytes per round do not rise',
    async () => {
      expect(measured.map(({ events }) => events)).toEqual([74, 149, 224, 299, 374, 449])
      expect(measured.map(({ messages }) => messages)).toEqual([5, 5, 5, 5, 5, 5])
      const [, second, ...later] = measured.map(({ bytes }) => bytes)
      for (const bytes of later) expect(bytes).toBeLessThan((second ?? 0) * 1.05)
      expect(await transcript(await open(world.first, 'S'))).toHaveLength(300)
    },
  )
})

/** So many conversations of three turns, newest last. */
async function manySessions(world: ScenarioWorld, count: number): Promise<void> {
  const sessions = Array.from({ length: count }, (_, n) => importedSession(`s${n}`, turnsFrom(1, 3), n))
  await world.first.importFacts({ tool: 'growth', sessions })
  await world.first.list()
}

scenario('B194', 'listing reads every file or runs queries per row', async (world) => {
  const costs: { list: number; open: number; events: number }[] = []
  for (const count of [100, 500]) {
    await manySessions(world, count)
    const { engine, rows: looked, read, close } = await watchedEngine(world)
    await engine.list({ limit: 1 })
    const [before, eventsBefore] = [looked.read, read.events]
    const page = sure(await engine.list({ limit: 20 }))
    expect(page).toMatchObject({ total: count })
    const [list, events] = [looked.read - before, read.events - eventsBefore]
    await (await open(engine, page.sessions[0]?.id ?? '')).transcript({ limit: 6 })
    costs.push({ list, events, open: looked.read - before - list })
    await close()
  }
  const [few, many] = costs
  await world.clause('List and open time almost independent of the number of conversations', () => {
    expect(many).toEqual(few)
  })
  await world.clause('records read proportional to the page', () => {
    expect(many?.list).toBeLessThanOrEqual(20 * 3)
  })
  await world.clause('first paint does not load message bodies', () => {
    expect(many?.events).toBe(0)
  })
})

scenario('B195', "finding a session's children scans all sessions", async (world) => {
  const costs: number[] = []
  for (const count of [50, 500]) {
    await manySessions(world, count)
    const parent = await open(world.first, 's7')
    for (const id of ['a', 'b', 'c']) sure(await parent.spawn({ id: `child ${id} of ${count}` }))
    const { engine, rows: looked, close } = await watchedEngine(world)
    const same = await open(engine, 's7')
    await same.lineage()
    const before = looked.read
    const { children } = sure(await same.lineage())
    costs.push((looked.read - before) / children.length)
    expect(children.filter(({ session }) => session.endsWith(`of ${count}`))).toHaveLength(3)
    await close()
  }
  await world.clause('Constant-time lookup by parent', () => {
    expect(costs[1]).toBeLessThanOrEqual(costs[0] ?? 0)
  })
})

scenario('B196', 'opening a 12 MB conversation takes 20 minutes', async (world) => {
  const costs: { open: number; page: number }[] = []
  const sizes = [500, 2_000]
  for (const size of sizes) {
    const S = await start(world.first, `S${size}`)
    for (let n = 1; n <= size / 10; n += 1) {
      sure(await S.append(turn(n)))
      await Promise.all(
        Array.from({ length: 8 }, (_, k) => S.note({ kind: 'progress', note: `${n}-${k}`, data: { k } })),
      )
    }
    sure(await S.append({ id: 'big', role: 'tool', toolCallId: 'x', text: 'x'.repeat(12_000_000) }))
    sure(await S.append(turnsFrom(9_001, 9_020)))
    const { engine, read, close } = await watchedEngine(world)
    await engine.list()
    const before = read.events
    const resumed = await open(engine, `S${size}`)
    const opened = read.events
    const page = sure(await resumed.transcript({ limit: 20 }))
    expect(page.entries).toHaveLength(20)
    costs.push({ open: opened - before, page: read.events - opened })
    await close()
  }
  const [small, large] = costs
  await world.clause('Open grows at most linearly (factor about 4 for 4x)', () => {
    expect(large?.open).toBeLessThanOrEqual(4 * Math.max(1, small?.open ?? 0))
  })
  await world.clause('last page independent of length', () => {
    expect(large?.page).toBe(small?.page)
    expect(large?.page).toBeLessThanOrEqual(25)
  })
  await world.clause("delegate progress is not in the parent's log", async () => {
    const S = await open(world.first, 'S500')
    const before = (await stored(S)).length
    const D = await open(world.first, sure(await S.spawn({ id: 'D' })).session)
    await appendTurns(D, 1, 20)
    expect(await stored(S)).toHaveLength(before + 1)
  })
})

const long = ({ id = '', ...message }: MessageInput): MessageInput => ({
  ...message,
  id,
  text: `${id} ${'x'.repeat(4_000)}`,
})

scenario('B197', 'resuming holds 9-14 times the file size in memory', async (world) => {
  const S = await start(world.first, 'S')
  for (let n = 0; n < 40; n += 1) {
    sure(await S.append(turnsFrom(n * 25 + 1, n * 25 + 25).map(long)))
    await S.transcript({ limit: 1 })
  }
  sure(await compact(S, { keep: 4 }))
  const whole = JSON.stringify(await stored(S)).length
  await world.restart()
  const { engine, read, close } = await watchedEngine(world)
  const resumed = await open(engine, 'S')
  const { bytes } = await contextOf(resumed)
  await world.clause('Peak far below the log size (streaming or snapshot)', () => {
    expect(whole).toBeGreaterThan(8_000_000)
    expect(read.peak).toBeLessThan(whole / 6)
    expect(read.bytes).toBeLessThan(whole / 6)
  })
  await world.clause('steady memory in proportion to the live view', async () => {
    const before = read.bytes
    await contextOf(resumed)
    await resumed.transcript({ limit: 4 })
    expect(read.bytes - before).toBeLessThan(bytes * 3)
  })
  await close()
})

scenario('B199', 'every compaction stores the kept history, including images, again', async (world) => {
  const MB = 1_000_000
  const S = await start(world.first, 'S')
  const picture = (n: number): AttachmentInput => ({
    type: 'image',
    mediaType: 'image/png',
    data: new Uint8Array(MB).fill(n).map((byte, index) => byte + (index % 251)),
  })
  for (let n = 1; n <= 5; n += 1) sure(await S.append({ id: `P${n}`, role: 'user', parts: [picture(n)] }))
  const before = await logBytes(world)
  const resumed = await open(world.first, 'S')
  for (let n = 1; n <= 20; n += 1) {
    sure(await resumed.append(answer(n)))
    const { revision, digest } = await contextOf(resumed)
    const keep = ['P1', 'P2', 'P3', 'P4', 'P5']
    const taken = await resumed.compact({
      base: revision,
      watermark: revision,
      held: digest,
      keep,
      summary: 'Pictures.',
    })
    expect(sure(taken).kept).toEqual(keep)
  }
  await world.clause('About 5 MB plus small compaction records', async () => {
    expect(before).toBeLessThan(5.2 * MB)
    expect(await logBytes(world)).toBeLessThan(before + 0.1 * MB)
  })
  await world.clause('attachments are stored once by content', async () => {
    const same = await open(world.first, 'S')
    sure(await same.append({ id: 'P1 again', role: 'user', parts: [picture(1)] }))
    await world.restart()
    expect(blobsIn(world.file)).toBe(5)
    expect((await context(await open(world.first, 'S'))).filter((id) => id.startsWith('P'))).toHaveLength(6)
  })
})

scenario('B202', 'stores grow without bound', async (world) => {
  await manySessions(world, 300)
  for (let n = 0; n < 270; n += 1) sure(await (await open(world.first, `s${n}`)).archive({ by: 'idle' }))
  await world.clause('Archive may keep size but list stays fast', async () => {
    const { engine, rows: looked, close } = await watchedEngine(world)
    expect(await listed(engine)).toHaveLength(30)
    const before = looked.read
    expect(sure(await engine.list({ limit: 20 }))).toMatchObject({ total: 30 })
    expect(looked.read - before).toBeLessThanOrEqual(20 * 3)
    await close()
  })
})
waiting('B202', 'purge', 'delete + maintenance returns the space')
waiting('B202', 'retention', 'both report numbers')

scenario('B203', 'a log larger than the longest string cannot be opened', async (world) => {
  const S = await start(world.first, 'S')
  const { generation } = sure(await S.bindRoute({ route: 'tab' }))
  const size = 6_000
  sure(await S.append(turnsFrom(1, size / 2)))
  await world.first.list()
  const { engine, read, failingReads, close } = await watchedEngine(world)
  const resumed = await open(engine, 'S')
  const head = await world.first.store.logHead()
  await world.clause('a failed open gives a typed error, changes no binding and appends nothing', async () => {
    for (let time = 1; time <= 3; time += 1) {
      const failure = new RefoldError('store-failed', { file: world.file, problem: 'input/output error' })
      failingReads.push(failure)
      await expect(resumed.transcript()).rejects.toBe(failure)
    }
    expect(await world.first.store.logHead()).toEqual(head)
    expect(await world.first.route('tab')).toEqual({ session: 'S', generation })
    expect(await listed(world.first)).toEqual(['S'])
  })
  await world.clause('Reading is by stream, so size alone never prevents opening', async () => {
    read.largest = 0
    let cursor: string | null | undefined
    let count = 0
    do {
      const page = sure(await resumed.transcript({ limit: 500, ...(cursor ? { cursor } : {}) }))
      count += page.entries.length
      cursor = page.cursor
    } while (cursor !== null)
    expect(count).toBe(size)
    expect(read.largest).toBeLessThanOrEqual(500)
  })
  await close()
})

/* No size budget throws anything out: there is none, and compaction leaves nothing that would count against it. */
scenario('B204', 'the same tool output is stored twice', async (world) => {
  const T = await start(world.first, 'T')
  await appendTurns(T, 1, 3)
  const S = await start(world.first, 'S')
  let unique = 0
  for (let n = 1; n <= 20; n += 1) {
    const text = `${n} `.repeat(80_000)
    unique += text.length
    const calls = [{ id: `c${n}`, name: 'read', arguments: {} }]
    sure(await S.append([question(n), { id: `T${n}`, role: 'assistant', toolCalls: calls }]))
    sure(await S.append([{ id: `R${n}`, role: 'tool', toolCallId: `c${n}`, text }, answer(n)]))
  }
  const before = await logBytes(world)
  const events = await countOf(world.first)
  const resumed = await open(world.first, 'S')
  for (let n = 1; n <= 20; n += 1) {
    sure(await resumed.append(turn(20 + n)))
    sure(await compact(resumed, { keep: 2, summary: `Read ${n} files.` }))
  }
  const after = await logBytes(world)
  await world.clause('Stored size below 1.5 times the unique bytes', () => {
    expect(before / unique).toBeLessThan(1.1)
    expect(after / unique).toBeLessThan(1.1)
  })
  await world.clause('compaction leaves nothing behind', async () => {
    expect(blobsIn(world.file)).toBe(20)
    expect(await countOf(world.first)).toBe(events + 20 * 2 + 20)
  })
  await world.clause('T is untouched', async () => {
    expect(await transcript(await open(world.first, 'T'))).toHaveLength(6)
    expect((await rows(world.first)).map(({ id }) => id).toSorted()).toEqual(['S', 'T'])
    const { entries } = await transcriptOf(await open(world.first, 'S'))
    expect(JSON.stringify(entries.find(({ id }) => id === 'R7'))).toContain('7 7 7 7')
  })
})

const countOf = async ({ store }: Engine): Promise<number> => (await store.logHead()).position
