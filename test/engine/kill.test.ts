import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openSqliteStore, type SqliteStore } from '@refold/engine'
import { recomputedChain } from './contract/chain-is-right.ts'
import { runScript, type RunningScript } from './processes/child-process.ts'
import { temporaryFolder } from './sqlite/temporary-folder.ts'

const ROUNDS = 20
const COMMITS_A_ROUND = 1_000
const CALLERS = 32

interface Writer {
  readonly script: RunningScript
  readonly name: string
  readonly marker: string
}

interface Acknowledged {
  readonly stream: string
  readonly revision: number
  readonly hash: string
  readonly blob: string
}

test(
  'whatever was acknowledged survives the death of its writer, and nothing is torn',
  { timeout: 1_200_000 },
  async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'log.db')
    let [killed, killedInside, commits, acknowledgements] = [0, 0, 0, 0]
    for (let round = 0; round < ROUNDS; round += 1) {
      const writers = ['one', 'two'].map((who) => startWriter(file, folder, `${round}-${who}`))
      await untilCommitted(writers, COMMITS_A_ROUND)
      // Spread over the commit: each round another moment, and the second writer a little after the first.
      await sleep(round % 7)
      for (const { script } of writers) {
        script.process.kill('SIGKILL')
        await sleep(round % 3)
      }
      for (const { script } of writers) expect(await script.ended).toBe('SIGKILL')
      const markers = writers.map(readMarker)
      killed += markers.length
      killedInside += markers.filter(({ isInside }) => isInside).length
      commits += markers.reduce((sum, marker) => sum + marker.commits, 0)
      const acknowledged = writers.flatMap(({ script }) => script.lines.flatMap(parseLine))
      acknowledgements += acknowledged.length
      expect(acknowledged.length).toBeGreaterThan(COMMITS_A_ROUND)
      const store = await openSqliteStore({ file })
      await everythingAcknowledgedIsThere(store, acknowledged)
      await nothingIsTorn(store, writers)
      await store.close()
    }
    const database = new Database(file, { readonly: true })
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    database.close()
    console.info(
      `${killed} writers killed, ${killedInside} of them inside a transaction; ${commits} commits, ${acknowledgements} events acknowledged`,
    )
    expect(killedInside).toBeGreaterThan(0)
  },
)

function startWriter(file: string, folder: string, name: string): Writer {
  const marker = join(folder, `marker-${name}`)
  return { script: runScript('kill-writer.mjs', [file, marker, name, String(CALLERS)]), name, marker }
}

async function untilCommitted(writers: readonly Writer[], commits: number): Promise<void> {
  for (;;) {
    const done = writers.map(readMarker).reduce((sum, marker) => sum + marker.commits, 0)
    if (done >= commits) return
    for (const { script } of writers) expect(script.process.exitCode).toBeNull()
    await sleep(5)
  }
}

/** Two 32-bit numbers: whether a transaction is open, and how many were committed. */
function readMarker({ marker }: Writer): { readonly isInside: boolean; readonly commits: number } {
  try {
    const bytes = readFileSync(marker)
    if (bytes.length < 8) return { isInside: false, commits: 0 }
    return { isInside: bytes.readInt32LE(0) === 1, commits: bytes.readInt32LE(4) }
  } catch {
    return { isInside: false, commits: 0 } // it has not begun
  }
}

/** A line cut short by the kill is no acknowledgement. */
function parseLine(line: string): Acknowledged[] {
  const [stream, revision, hash, blob, ...more] = line.split(' ')
  if (stream === undefined || hash === undefined || blob?.length !== 64 || more.length > 0) return []
  return [{ stream, revision: Number(revision), hash, blob }]
}

async function everythingAcknowledgedIsThere(store: SqliteStore, acknowledged: readonly Acknowledged[]): Promise<void> {
  const events = await store.readEvents(acknowledged)
  expect(events.map((event) => event?.hash)).toEqual(acknowledged.map(({ hash }) => hash))
  for (const { blob } of acknowledged) expect(await store.blob(blob)).toBeDefined()
}

/** Streams are dense, their chains are right, and what one append wrote to two streams is in both or in neither. */
async function nothingIsTorn(store: SqliteStore, writers: readonly Writer[]): Promise<void> {
  for (const { name } of writers) {
    for (let caller = 0; caller < CALLERS; caller += 1) {
      const own = await store.readRaw(`session-kill.${name}-${caller}`, { limit: 1_000_000 })
      const twin = await store.readRaw(`session-kill.${name}-${caller}-twin`, { limit: 1_000_000 })
      expect(own.map(({ revision }) => revision)).toEqual(own.map((_, index) => index))
      expect(own.map(({ hash }) => hash)).toEqual(recomputedChain(own))
      expect(twin.map(({ hash }) => hash)).toEqual(recomputedChain(twin))
      expect(twin.length).toBe(own.length)
    }
  }
}
