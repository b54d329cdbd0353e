import Database from 'better-sqlite3'
import { isKnown } from '@refold/events'
import type { SessionHandle } from '@refold/engine'
import { fill } from './history.ts'
import { under, type Line } from './line.ts'
import { median, seconds } from './measure.ts'
import { openBench, taken } from './opened.ts'
import { seeded, words } from './words.ts'

const MESSAGES = 100_000
const COMPACTIONS = 500
const REWOUND = 50_000
const TIMES = 9

/** A session of 100,000 messages, compacted 500 times: its context, its past, branching it, and rewinding half of it. */
export async function measureCompacted(folder: string): Promise<readonly Line[]> {
  const each = MESSAGES / COMPACTIONS
  const { engine, file, viewsFile, catchUp, close } = await openBench(folder, 'compacted', (store) =>
    fill(store, { sessions: 1, messages: each, seed: 12 }),
  )
  const session = taken(await engine.session('s0')).handle
  const text = words(1_024, seeded(13))
  for (let n = 0; n < COMPACTIONS; n++) {
    if (n > 0) await appendSome(session, n, each, text)
    await compactAll(session, n)
  }
  await appendSome(session, COMPACTIONS, 20, text)
  await catchUp()
  const context = await milliseconds(() => session.context())
  const past = await milliseconds(() => stateAt(session, MESSAGES / 2))
  const target = `m-${Math.floor((MESSAGES - REWOUND) / each)}-0`
  const branches: number[] = []
  const sizeBefore = rowBytes(viewsFile)
  for (let n = 0; n < TIMES; n++)
    branches.push(await seconds(async () => taken(await session.branch({ from: target }))))
  await catchUp()
  const branched = (rowBytes(viewsFile) - sizeBefore) / TIMES
  const rewinds: number[] = []
  let rewound = 0
  for (let n = 0; n < TIMES; n++) {
    const first = await lastRevision(session)
    const before = rowBytes(viewsFile)
    rewinds.push(await seconds(async () => taken(await session.rewind({ to: target }))))
    await catchUp()
    rewound = rowBytes(viewsFile) - before + (await eventBytes(session, first))
    taken(await session.undo())
    await catchUp()
  }
  const branchEvents = eventBytesOf(file, 'SessionStarted')
  await close()
  return [
    under(`context, ${MESSAGES} messages, ${COMPACTIONS} times compacted`, context, 20, 'ms'),
    under(`whole state of it as of revision ${MESSAGES / 2}`, past, 100, 'ms'),
    under('branch in the midst of it, without sync', median(branches) * 1_000, 5, 'ms'),
    under('rows and event of that branch', branched + branchEvents, 1_024, 'bytes'),
    under(`rewind of about ${REWOUND} entries, without sync`, median(rewinds) * 1_000, 5, 'ms'),
    under('rows and event of that rewind', rewound, 1_024, 'bytes'),
  ]
}

/** All that a session was at a revision: what is read of it, page by page, and what is known of it. */
async function stateAt(session: SessionHandle, at: number): Promise<void> {
  await session.transcript({ at })
  await session.context({ at })
  await session.title({ at })
  await session.settings({ at })
  await session.usage({ at })
}

async function appendSome(session: SessionHandle, round: number, count: number, text: string): Promise<void> {
  const messages = Array.from(
    { length: count },
    (_, n) => ({ id: `m-${round}-${n}`, role: n % 2 === 0 ? 'user' : 'assistant', text }) as const,
  )
  taken(await session.append(messages))
}

async function compactAll(session: SessionHandle, n: number): Promise<void> {
  const context = await session.context()
  if (!('digest' in context)) throw new Error(context.message)
  const { revision, digest } = context
  const summary = `What was said up to the ${n}th time. ${'It matters. '.repeat(20)}`
  taken(await session.compact({ base: revision, watermark: revision, held: digest, summary }))
}

async function lastRevision(session: SessionHandle): Promise<number> {
  return (await session.events({ backwards: true, limit: 1 }))[0]?.revision ?? 0
}

/** Bytes of the session's events after a revision, as JSON. */
async function eventBytes(session: SessionHandle, after: number): Promise<number> {
  const events = await session.events({ from: after + 1, limit: 10 })
  return events.filter(isKnown).reduce((sum, { data }) => sum + Buffer.byteLength(JSON.stringify(data)), 0)
}

/** Bytes of the newest event of a type. */
function eventBytesOf(file: string, type: string): number {
  const database = new Database(file, { readonly: true })
  const bytes = database
    .prepare<[string], number>(
      `SELECT octet_length(payload) FROM events JOIN event_types USING (type_key)
       WHERE event_types.type = ? ORDER BY position DESC LIMIT 1`,
    )
    .pluck()
    .get(type)
  database.close()
  return bytes ?? 0
}

/** Bytes of all rows, without indexes and the space between them. */
function rowBytes(file: string): number {
  const database = new Database(file, { readonly: true })
  const bytes = database
    .prepare<[], number>(
      `SELECT sum(payload) FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE type = 'table')`,
    )
    .pluck()
    .get()
  database.close()
  return bytes ?? 0
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 11; round++) times.push((await seconds(work)) * 1_000)
  return median(times.slice(1))
}
