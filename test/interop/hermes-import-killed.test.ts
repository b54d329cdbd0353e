import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { fc } from '@fast-check/vitest'
import { openEngine } from '@refold/engine'
import { importHistory, UnknownHistory, type ImportProgress } from '@refold/interop'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runScript } from '../engine/processes/child-process.ts'
import { makeStore, start, type Fields } from './hermes/made-store.ts'
import { simulate, type Step } from './hermes/simulated-chat.ts'
import { source, withEngine } from './importing/engines.ts'
import { logOf } from './importing/log-of.ts'
import { rowsOf, viewOf } from './importing/view-of.ts'

const turn = (tools: number): Step => ({ do: 'turn', ask: 'continue', answer: 'Done.', tools, counted: false })
const compact = (how: 'in place' | 'rotate' | 'fail', shape: number): Step => ({
  do: 'compact',
  how,
  times: 'now',
  tail: 6,
  shape,
  askFirst: false,
})

/** A long chat with everything in it, and sessions with one title beside it. */
function longStore(rounds: number): string {
  const steps = Array.from({ length: rounds }, (_, at): readonly Step[] => [
    ...Array.from({ length: 12 }, (__, n) => turn(n % 3)),
    { do: 'late', ask: 'ok' },
    { do: 'notice' },
    compact(at % 3 === 0 ? 'in place' : at % 3 === 1 ? 'rotate' : 'fail', at),
    turn(1),
    { do: 'undo', turns: 1 },
  ]).flat()
  const chat = simulate(steps)
  const others = Array.from({ length: 12 }, (_, at): Fields => ({
    id: `other-${at}`,
    source: 'cli',
    started_at: start + at,
    ended_at: null,
    end_reason: null,
    parent_session_id: null,
    title: at % 2 === 0 ? 'same' : null,
    input_tokens: at,
  }))
  return makeStore({ sessions: [...chat.sessions, ...others], messages: chat.messages })
}

describe('an import that is stopped', () => {
  test('before any append, each in turn, and run again writes what an undisturbed one writes', async () => {
    const path = longStore(2)
    const undisturbed = await withEngine('memory', async (engine) => {
      await importHistory(engine, path, { source })
      return { log: await logOf(engine), view: await viewOf(engine) }
    })
    let stopped = 0
    for (let appends = 1; ; appends += 1) {
      const isDone = await withEngine('memory', async (engine) => {
        const controller = new AbortController()
        let commits = 0
        engine.store.onCommit(() => {
          commits += 1
          if (commits === appends) controller.abort(new Error('enough'))
        })
        const outcome = await importHistory(engine, path, { source, signal: controller.signal }).catch(
          (problem: unknown) => problem,
        )
        await importHistory(engine, path, { source })
        expect(await logOf(engine)).toEqual(undisturbed.log)
        if (!(outcome instanceof Error)) return true
        expect(outcome.message).toBe('enough')
        stopped += 1
        return false
      })
      if (isDone) break
    }
    expect(stopped).toBeGreaterThan(10)
  })

  describe('by the death of its process', () => {
    let folder: string
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'killed-import-'))
    })
    afterAll(() => rmSync(folder, { recursive: true }))

    const seed = Number(process.env['HERMES_SEED'] ?? 20_260_902)
    test(`and run again until it is done writes what an undisturbed one writes (HERMES_SEED=${seed})`, async () => {
      const path = longStore(8)
      const file = join(folder, 'refold.db')
      const waits = fc.sample(fc.record({ commits: fc.integer({ min: 1, max: 6 }), more: fc.nat(9) }), {
        seed,
        numRuns: 12,
      })
      let killed = 0
      for (const { commits, more } of waits) {
        const script = runScript(fileURLToPath(new URL('importing/import-until-killed.mjs', import.meta.url)), [
          path,
          file,
          String(source.now()),
        ])
        while (script.lines.length < commits && !script.lines.includes('done') && script.process.exitCode === null)
          await sleep(1)
        await sleep(more)
        script.process.kill('SIGKILL')
        if ((await script.ended) === 'SIGKILL') killed += 1
      }
      expect(killed).toBeGreaterThan(4)
      const engine = await openEngine({ file, durability: 'system', source })
      await importHistory(engine, path, { source })
      const log = await logOf(engine)
      const view = await viewOf(engine)
      await engine.close()
      await withEngine('memory', async (undisturbed) => {
        await importHistory(undisturbed, path, { source })
        expect(log).toEqual(await logOf(undisturbed))
        expect(view).toEqual(await viewOf(undisturbed))
      })
    })
  })
})

test('progress rises to the number of rows and never falls', async () => {
  const seen: ImportProgress[] = []
  await withEngine('memory', (engine) =>
    importHistory(engine, longStore(2), { source, onProgress: (progress) => seen.push(progress) }),
  )
  const done = seen.map((progress) => progress.done)
  expect(done).toEqual(done.toSorted((a, b) => a - b))
  expect(seen.at(-1)).toEqual({ done: seen[0]?.total, total: seen[0]?.total, what: 'rows' })
})

test('one history lives in two namespaces of one store, and neither sees the other', async () => {
  const path = longStore(1)
  const folder = mkdtempSync(join(tmpdir(), 'two-namespaces-'))
  const file = join(folder, 'refold.db')
  const [one, two] = [
    await openEngine({ file, namespace: 'one', source }),
    await openEngine({ file, namespace: 'two', source }),
  ]
  const first = await importHistory(one, path, { source })
  expect(await rowsOf(two)).toEqual([])
  const second = await importHistory(two, path, { source })
  expect({ ...second }).toEqual({ ...first })
  expect(await viewOf(two)).toEqual(await viewOf(one))
  await one.close()
  await two.close()
  rmSync(folder, { recursive: true })
})

test('a file that holds no history is refused by name', async () => {
  await withEngine('memory', async (engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'no-history-'))
    const { writeFileSync } = await import('node:fs')
    writeFileSync(join(folder, 'notes.txt'), 'nothing')
    await expect(importHistory(engine, join(folder, 'notes.txt'))).rejects.toThrow(UnknownHistory)
    const { default: Database } = await import('better-sqlite3')
    new Database(join(folder, 'other.db')).exec('CREATE TABLE t (x)').close()
    await expect(importHistory(engine, join(folder, 'other.db'))).rejects.toThrow(UnknownHistory)
    await expect(importHistory(engine, join(folder, 'absent.db'))).rejects.toThrow('ENOENT')
  })
})
