import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openEngine, openMemoryStore, verifyStore, type Bytes, type Engine } from '@refold/engine'
import { parseSessionStream } from '@refold/events'
import { sure } from '../support/facade-world.ts'
import { sha256 } from '../support/sha256.ts'
import { testSource } from '../support/test-source.ts'
import { lead, worlds } from '../worlds/worlds.ts'

const SEED = 20261204
const COUNT = 6
const COMMANDS = 80

async function exported(engine: Engine, sessions: readonly string[] | 'all'): Promise<string> {
  let text = ''
  for await (const piece of sure(await engine.exportBundle(sessions)).pieces) text += piece
  return text
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

const fileOf = (text: string) => (): Bytes => bytesOf(text)

/** Everything that lists and sessions say, whether they are deleted or not. */
async function answers(engine: Engine, ids: readonly string[]): Promise<unknown> {
  const list = sure(await engine.list({ all: true, limit: 1_000 }))
  const sessions: unknown[] = []
  for (const id of ids) {
    const found = await engine.session(id)
    if (!found.ok) {
      sessions.push(found)
      continue
    }
    const { handle } = found
    sessions.push([
      await handle.transcript({ limit: 1_000 }),
      await handle.context(),
      await handle.lineage(),
      await handle.settings(),
    ])
  }
  return [list, sessions]
}

test(`whatever happened, an export of all of it gives the same sessions elsewhere, and the same export (seed ${SEED})`, async () => {
  for (const commands of fc.sample(worlds(COMMANDS), { seed: SEED, numRuns: COUNT })) {
    const { stage } = await lead('memory', commands)
    stage.store.crashNext('never')
    try {
      for (const index of [0, 1]) {
        const engine = stage.engine(index, 0)
        const { source } = stage
        const log = await stage.store.readAll({ limit: 100_000 })
        const streams = new Set(log.map(({ stream }) => stream))
        const ids = [...streams].flatMap((stream) => {
          const address = parseSessionStream(stream)
          return address?.namespace === engine.namespace ? [address.session] : []
        })
        const text = await exported(engine, 'all')
        const store = openMemoryStore(testSource())
        const copy = await openEngine({ store, source, namespace: engine.namespace })
        expect(await copy.importBundle(fileOf(text))).toMatchObject({
          sessions: ids.length,
          conflicts: [],
          namesTaken: [],
        })
        expect(await exported(copy, 'all')).toBe(text)
        expect(await copy.importBundle(fileOf(text))).toMatchObject({ events: 0 })
        expect(await verifyStore(store, sha256)).toMatchObject({ ok: true, firstBreak: null })
        expect(await answers(copy, ids)).toEqual(await answers(engine, ids))
        // One by one, in any order: what a session is shown from comes along.
        const apart = await openEngine({ store: openMemoryStore(testSource()), source, namespace: engine.namespace })
        for (const id of ids.toReversed()) {
          const one = await exported(engine, [id])
          await apart.importBundle(fileOf(one))
          expect(await exported(apart, [id])).toBe(one)
        }
        for (const each of [copy, apart]) await each.close()
      }
    } finally {
      await stage.close()
    }
  }
})
