import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openEngine, viewsFileOf, type RebuiltView } from '@refold/engine'
import { startIn, sure } from '../support/facade-world.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'refold-rebuild-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

/** Every row of every table but what a fold may number in another order or leave out. */
function rowsIn(file: string): string {
  const database = new Database(viewsFileOf(file), { readonly: true })
  try {
    const tables = database
      .prepare<[], string>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`,
      )
      .pluck()
      .all()
      .filter((name) => !['checkpoint', 'session_states', 'stream_names'].includes(name))
    return JSON.stringify(
      tables.map((name) => [name, database.prepare(`SELECT * FROM "${name}"`).raw().all().map(String).toSorted()]),
    )
  } finally {
    database.close()
  }
}

describe('rebuild', () => {
  test('mends rows that were changed behind its back, and says what it made', async () => {
    const file = join(folder(), 'agent.db')
    const engine = await openEngine({ file })
    onTestFinished(() => engine.close())
    const session = await startIn(engine, 's')
    sure(await session.append({ id: 'm', role: 'user', text: 'hello' }))
    const before = sure(await engine.list())
    sure(await engine.search('hello'))
    const database = new Database(viewsFileOf(file))
    database.exec(`UPDATE tips SET messages = 77`)
    database.close()
    expect(sure(await engine.list()).sessions).toMatchObject([{ messages: 77 }])
    const told: RebuiltView[] = []
    const { position } = await engine.store.logHead()
    const rebuilt = await engine.rebuild({ onProgress: ({ view }) => void told.push(view) })
    expect(rebuilt).toEqual({
      views: [
        { view: 'rows', position },
        { view: 'search', position },
      ],
    })
    expect(new Set(told)).toEqual(new Set(['rows', 'search']))
    expect(sure(await engine.list())).toEqual(before)
    expect(sure(await engine.search('hello')).hits).toHaveLength(1)
  })

  test('what is appended meanwhile is in it, and readers see whole rows all the while', async () => {
    const file = join(folder(), 'agent.db')
    const engine = await openEngine({ file })
    onTestFinished(() => engine.close())
    const session = await startIn(engine, 's')
    for (let n = 0; n < 2_500; n += 50)
      sure(
        await session.append(
          Array.from({ length: 50 }, (_, i) => ({ id: `m${n + i}`, role: 'user', text: 'x' }) as const),
        ),
      )
    const over = new AbortController()
    const seen: number[] = []
    const reading = (async () => {
      while (!over.signal.aborted) {
        seen.push(sure(await engine.list()).sessions[0]?.messages ?? -1)
        await sleep(1)
      }
    })()
    let appended = 2_500
    const rebuilding = engine.rebuild({ views: ['rows'] })
    for (let n = 0; n < 20; n += 1) {
      sure(await session.append({ id: `late${n}`, role: 'user', text: 'late' }))
      appended += 1
    }
    await rebuilding
    over.abort()
    await reading
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(2_500)
    expect(sure(await engine.list()).sessions).toMatchObject([{ messages: appended }])
  })

  test('killed at twenty points and run again, it ends with the rows of an undisturbed one', async () => {
    const file = join(folder(), 'agent.db')
    const engine = await openEngine({ file })
    for (const id of ['one', 'two', 'three']) {
      const session = await startIn(engine, id)
      for (let n = 0; n < 2_000; n += 100)
        sure(
          await session.append(
            Array.from({ length: 100 }, (_, i) => ({ id: `m${n + i}`, role: 'user', text: `words ${n}` }) as const),
          ),
        )
      sure(await session.rename(`Title of ${id}`))
    }
    await engine.rebuild({ views: ['rows'] })
    await engine.close()
    const undisturbed = rowsIn(file)
    const script = `import { openEngine } from '@refold/engine'
      const engine = await openEngine({ file: process.argv[1] })
      process.stdout.write('begun')
      await engine.rebuild({ views: ['rows'] })
      await engine.close()`
    let killed = 0
    for (let point = 0; point < 20; point += 1) {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', script, file], {
        cwd: join(import.meta.dirname, '..'),
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const exit = once(child, 'exit')
      await once(child.stdout, 'data')
      await sleep(point * 12)
      if (child.kill('SIGKILL')) killed += 1
      await exit
    }
    expect(killed).toBe(20)
    const again = await openEngine({ file })
    await again.rebuild({ views: ['rows'] })
    await again.close()
    expect(rowsIn(file)).toBe(undisturbed)
  })
})
