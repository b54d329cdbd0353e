import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openEngine, taken } from '@refold/engine'
import { runScript, type RunningScript } from '../engine/processes/child-process.ts'
import { temporaryFolder } from '../engine/sqlite/temporary-folder.ts'
import { placesOf } from './found.ts'

const MESSAGES = 400

async function filled() {
  const folder = temporaryFolder()
  const file = join(folder, 'log.db')
  const index = join(folder, 'log.search.db')
  const engine = await openEngine({ file, durability: 'system' })
  onTestFinished(() => engine.close())
  const { handle } = taken(await engine.start({ id: 's' }))
  const messages = Array.from(
    { length: MESSAGES },
    (_, n) => ({ id: `m${n}`, role: 'user', text: `pump ${n}` }) as const,
  )
  taken(await handle.append(messages))
  const run = (pageSize: number): RunningScript =>
    runScript('../../search/processes/indexer.mjs', [file, index, String(pageSize)])
  return { engine, index, run }
}

/** How often each event stands in the index. */
function counts(index: string): unknown {
  const database = new Database(index, { readonly: true })
  try {
    return database.prepare('SELECT count(*), count(DISTINCT revision) FROM said').raw().get()
  } finally {
    database.close()
  }
}

test('a process that is killed anywhere leaves an index that the next one goes on with', async () => {
  const { engine, index, run } = await filled()
  for (let round = 0; round < 3; round += 1) {
    const one = run(3)
    await one.line((line) => line === `taken ${30 + 12 * round}`)
    one.process.kill('SIGKILL')
    await one.ended
  }
  expect(await placesOf(engine, 'pump')).toHaveLength(MESSAGES)
  expect(await placesOf(engine, `${MESSAGES - 1}`)).toEqual([`s/m${MESSAGES - 1}`])
  expect(counts(index)).toEqual([MESSAGES, MESSAGES])
})

test('processes that fill one index at the same time take in each event once', async () => {
  const { engine, index, run } = await filled()
  const all = [3, 7, 50].map(run)
  const found = await placesOf(engine, 'pump')
  expect(await Promise.all(all.map(({ ended }) => ended))).toEqual([0, 0, 0])
  expect(found).toHaveLength(MESSAGES)
  expect(await placesOf(engine, 'pump')).toEqual(found)
  expect(counts(index)).toEqual([MESSAGES, MESSAGES])
})
