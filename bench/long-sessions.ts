import { join } from 'node:path'
import { openEngine, openSqliteStore, openViews, systemSource, type Engine, type SessionHandle } from '@refold/engine'
import { projections } from '@refold/projections'
import { fill } from './history.ts'
import { atMost, under, type Line } from './line.ts'
import { median, pairs, seconds, type Pair } from './measure.ts'
import { seeded, words } from './words.ts'

const LONG = 100_000
const SHORT = 100
const APPENDS = 200
const REWINDS = 1_000

/** What must not depend on how long a session is. */
export async function measureLongSessions(folder: string): Promise<readonly Line[]> {
  const store = await openSqliteStore({ file: join(folder, 'long.db'), durability: 'system' })
  await fill(store, { sessions: 1, messages: LONG, seed: 9 })
  const views = await openViews({ log: store, projections, source: systemSource, file: join(folder, 'long.views.db') })
  await views.catchUp()
  const engine = await openEngine({ store, views })
  const long = await sessionOf(engine, 's0')
  const short = await startedOf(engine, 'short')
  const text = words(1_024, seeded(10))
  await short.append(Array.from({ length: SHORT }, (_, n) => ({ id: `m${n}`, role: 'user', text }) as const))

  const appends = await inTurn(long, short, text)
  await views.catchUp()
  const lines: Line[] = [
    atMost(`append to ${LONG} messages / to ${SHORT}, without sync`, appends, 1.2),
    under('last page of 50 entries', await milliseconds(() => long.transcript({ limit: 50 })), 5, 'ms'),
  ]
  for (let n = 0; n < REWINDS; n++) {
    await long.append([
      { id: `r${n}a`, role: 'user', text: 'a' },
      { id: `r${n}b`, role: 'user', text: 'b' },
    ] as const)
    await long.rewind({ to: `r${n}a` })
  }
  await views.catchUp()
  const before = process.memoryUsage().rss
  const page = await milliseconds(() => long.transcript({ limit: 50 }))
  const grown = Math.max(0, process.memoryUsage().rss - before) / 1e6
  const past = await milliseconds(() => long.transcript({ limit: 50, at: LONG / 2 }))
  lines.push(
    under(`last page, with ${REWINDS} rewinds`, page, 5, 'ms'),
    under('memory that twenty such pages added', grown, 20, 'MB'),
    under(`last page as of revision ${LONG / 2}`, past, 5, 'ms'),
  )
  await engine.close()
  await views.close()
  await store.close()
  return lines
}

/**
 * One append to each by turns: in blocks, the checkpoints of the WAL, which come every thousand appends or so, would fall
 * into those of one side alone.
 */
async function inTurn(long: SessionHandle, short: SessionHandle, text: string): Promise<Pair> {
  let ofShort = 0
  const round = async (round: number): Promise<number> => {
    let ofLong = 0
    ofShort = 0
    for (let n = 0; n < APPENDS; n++) {
      const message = { id: `new-${round}-${n}`, role: 'user', text } as const
      ofLong += await seconds(() => long.append(message))
      ofShort += await seconds(() => short.append(message))
    }
    return ofLong
  }
  return pairs(21, round, async () => ofShort)
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 21; round++) times.push((await seconds(work)) * 1_000)
  return median(times.slice(1))
}

async function sessionOf(engine: Engine, name: string): Promise<SessionHandle> {
  const found = await engine.session(name)
  if (!found.ok) throw new Error(found.message)
  return found.handle
}

async function startedOf(engine: Engine, id: string): Promise<SessionHandle> {
  const started = await engine.start({ id })
  if (!started.ok) throw new Error(started.message)
  return started.handle
}
