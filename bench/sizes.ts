import Database from 'better-sqlite3'
import { statSync } from 'node:fs'
import type { SessionHandle } from '@refold/engine'
import { atMostTimes, type Line } from './line.ts'
import { openBench, taken } from './opened.ts'
import { seeded, words } from './words.ts'

const SESSIONS = 20
const MESSAGES = 1_000
const OUTPUTS = 200
const OUTPUT_BYTES = 64 * 1_024

/** Bytes on disk of log and row views, against the JSON of the events (or, for large outputs, their text). */
export async function measureSizes(folder: string): Promise<readonly Line[]> {
  const text = seeded(14)
  const typical = await bytesOf(folder, 'typical', async (session, n) => {
    const messages = Array.from(
      { length: MESSAGES },
      (_, m) => ({ id: `s${n}-m${m}`, role: m % 2 === 0 ? 'user' : 'assistant', text: words(1_024, text) }) as const,
    )
    taken(await session.append(messages))
  })
  const outputs = await bytesOf(folder, 'outputs', async (session, n) => {
    for (let m = 0; m < OUTPUTS / SESSIONS; m++)
      taken(await session.append({ id: `s${n}-o${m}`, role: 'tool', text: words(OUTPUT_BYTES, text) }))
  })
  return [
    atMostTimes('log and row views / JSON of the events, 1 KiB messages', typical.disk / typical.json, 1.45),
    atMostTimes('the same / text, outputs of 64 KiB', outputs.disk / (OUTPUTS * OUTPUT_BYTES), 1.1),
  ]
}

async function bytesOf(
  folder: string,
  name: string,
  write: (session: SessionHandle, n: number) => Promise<void>,
): Promise<{ readonly disk: number; readonly json: number }> {
  const { engine, file, viewsFile, catchUp, close } = await openBench(folder, name, async () => undefined)
  for (let n = 0; n < SESSIONS; n++) await write(taken(await engine.start({ id: `s${n}` })).handle, n)
  let json = 0
  for (let after = 0; ;) {
    const page = await engine.store.readAll({ after, limit: 1_000 })
    for (const event of page) json += Buffer.byteLength(JSON.stringify(event))
    if (page.length < 1_000) break
    after = page.at(-1)?.position ?? 0
  }
  await catchUp()
  await close()
  // Closing leaves a log of changes only where a reader is still there; both files hold all by now.
  return { disk: statSync(file).size + statSync(viewsFile).size + pagesInLog(file) + pagesInLog(viewsFile), json }
}

/** Bytes in a WAL that a crash or an open reader would have left. */
function pagesInLog(file: string): number {
  const database = new Database(file)
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
}
