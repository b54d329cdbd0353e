import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openEngine, openSqliteStore } from '@refold/engine'
import { openBareLog } from './bare-log.ts'
import { atLeast, type Line } from './line.ts'
import { pairs, seconds } from './measure.ts'
import { said } from './said.ts'
import { seeded, words } from './words.ts'

const KIB = 1024
const SINGLE = 150
/** Appends before any is measured, on both sides: until the code is compiled and the WAL has its full size. */
const WARM_UP = 3_000
const CALLERS = 100
const BATCHES = 10

/** Design section 11, the first two lines: durable appends one after another, and by 100 callers at once. */
export async function measureAppends(folder: string): Promise<readonly Line[]> {
  return [...(await singleAppends(folder)), ...(await crowd(folder))]
}

async function singleAppends(folder: string): Promise<readonly Line[]> {
  const random = seeded(1)
  const store = await openSqliteStore({ file: join(folder, 'single.db') })
  const bare = await openBareLog(join(folder, 'single-bare.db'))
  const raw = openSync(join(folder, 'raw'), 'w')
  const page = Buffer.alloc(4 * KIB, 1)
  const payload = said('s', 'm', KIB, random).payload
  let revision = -1

  const appendAll = async (round: number, count = SINGLE): Promise<number> => {
    const events = Array.from({ length: count }, (_, n) => said('session-bench.one', `${round}-${n}`, KIB, random))
    return seconds(async () => {
      for (const event of events) {
        const expected = revision < 0 ? 'no-stream' : revision
        await store.append({ streams: [{ stream: 'session-bench.one', expected, events: [event] }] })
        revision++
      }
    })
  }
  const insertAll = async (): Promise<number> =>
    seconds(() => {
      for (let n = 0; n < SINGLE; n++) bare.insert([1], payload)
    })
  const syncAll = async (): Promise<number> =>
    seconds(() => {
      for (let n = 0; n < SINGLE; n++) {
        writeSync(raw, page)
        fdatasyncSync(raw)
      }
    })
  await appendAll(-1, WARM_UP)
  for (let n = 0; n < WARM_UP; n++) bare.insert([1], payload)
  const rounds = 11
  const againstDisk = await pairs(rounds, (round) => appendAll(round), syncAll)
  const againstBare = await pairs(rounds, (round) => appendAll(round + 100), insertAll)
  closeSync(raw)
  bare.close()
  await store.close()
  const rate = `${Math.round(SINGLE / againstBare.ours)}/s`
  return [
    atLeast('one durable append after another / write and fdatasync', againstDisk, 0.6, rate),
    atLeast('one durable append after another / bare insert, same schema', againstBare, 0.85, rate),
  ]
}

async function crowd(folder: string): Promise<readonly Line[]> {
  const lines: Line[] = []
  for (const streams of [CALLERS, 1]) {
    const into = streams === 1 ? 'one session' : `${streams} sessions`
    const bare = await openBareLog(join(folder, `crowd-bare-${streams}.db`))
    const payload = said('s', 'm', KIB, seeded(2)).payload
    const keys = Array.from({ length: CALLERS }, (_, caller) => (caller % streams) + 1)
    const insertAll = async (): Promise<number> =>
      seconds(() => {
        for (let batch = 0; batch < BATCHES; batch++) bare.insert(keys, payload)
      })
    const store = await throughStore(join(folder, `crowd-store-${streams}.db`), streams)
    const ofStore = await pairs(7, store.run, insertAll)
    await store.close()
    lines.push(
      atLeast(
        `${CALLERS} callers into ${into}, store / bare transactions of 100`,
        ofStore,
        0.6,
        perSecond(ofStore.ours),
      ),
    )
    const engine = await throughEngine(join(folder, `crowd-engine-${streams}.db`), streams)
    const ofEngine = await pairs(7, engine.run, insertAll)
    await engine.close()
    const budget = streams === 1 ? 0.25 : 0.35
    lines.push(
      atLeast(
        `${CALLERS} callers into ${into}, engine / bare transactions of 100`,
        ofEngine,
        budget,
        perSecond(ofEngine.ours),
      ),
    )
    bare.close()
  }
  return lines
}

const perSecond = (elapsed: number): string => `${Math.round((CALLERS * BATCHES) / elapsed)}/s`

interface Crowd {
  readonly run: (round: number) => Promise<number>
  readonly close: () => Promise<void>
}

/** Each caller appends, waits for the answer, and appends again. */
async function throughStore(file: string, streams: number): Promise<Crowd> {
  const store = await openSqliteStore({ file })
  const random = seeded(3)
  return {
    run: async (round) => {
      const events = Array.from({ length: CALLERS }, (_, caller) =>
        Array.from({ length: BATCHES }, (_, batch) =>
          said(`session-bench.${caller % streams}`, `${round}-${caller}-${batch}`, KIB, random),
        ),
      )
      return seconds(() =>
        Promise.all(
          events.map(async (mine, caller) => {
            const stream = `session-bench.${caller % streams}`
            for (const event of mine) await store.append({ streams: [{ stream, expected: 'any', events: [event] }] })
          }),
        ),
      )
    },
    close: () => store.close(),
  }
}

async function throughEngine(file: string, streams: number): Promise<Crowd> {
  const store = await openSqliteStore({ file })
  const engine = await openEngine({ store })
  const handles = await Promise.all(
    Array.from({ length: streams }, async (_, n) => {
      const started = await engine.start({ id: `bench-${n}` })
      if (!started.ok) throw new Error(started.message)
      return started.handle
    }),
  )
  const text = words(KIB, seeded(4))
  return {
    run: (round) =>
      seconds(() =>
        Promise.all(
          Array.from({ length: CALLERS }, async (_, caller) => {
            for (let batch = 0; batch < BATCHES; batch++) {
              const message = { id: `${round}-${caller}-${batch}`, role: 'user', text } as const
              const answer = await handles[caller % streams]?.append(message)
              if (!answer?.ok) throw new Error(answer?.message)
            }
          }),
        ),
      ),
    close: async () => {
      await engine.close()
      await store.close()
    },
  }
}
