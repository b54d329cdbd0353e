import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeStore, start } from '../interop/hermes/made-store.ts'
import { call, store } from './call.ts'

/** A Hermes store with one chat, whose second message calls a tool with broken arguments. */
function hermesStore(): string {
  return makeStore({
    sessions: [{ id: 'h1', source: 'cli', started_at: start, title: 'Scanner' }],
    messages: [
      { id: 1, session_id: 'h1', role: 'user', content: 'Why does it fail?', timestamp: start + 1 },
      {
        id: 2,
        session_id: 'h1',
        role: 'assistant',
        content: 'I will look.',
        tool_calls: '{"id":',
        timestamp: start + 2,
      },
    ],
  })
}

const digest = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

describe('import', () => {
  test('reads a history into a store that it makes, and again adds nothing', async () => {
    const { refold } = store()
    const file = hermesStore()
    const before = digest(file)
    const first = await refold(['import', file])
    expect(first).toEqual({
      sources: [
        {
          path: file,
          format: 'hermes',
          sessions: 1,
          events: expect.any(Number),
          messages: 2,
          alreadyThere: 0,
          warnings: [{ code: expect.any(String), where: expect.any(String), kept: expect.any(String) }],
        },
      ],
    })
    expect(first.sources[0].events).toBeGreaterThan(2)
    expect((await refold(['show', 'Scanner'])).session).toBe('h1')
    const again = await refold(['import', file])
    expect(again.sources[0]).toMatchObject({ sessions: 1, events: 0, messages: 0 })
    expect(again.sources[0].alreadyThere).toBeGreaterThan(2)
    expect(digest(file)).toBe(before)
  })

  test('takes a folder for what lies in it, and names each as it was named', async () => {
    const { folder, refold } = store()
    mkdirSync(join(folder, 'hermes', 'profiles', 'work'), { recursive: true })
    copyFileSync(hermesStore(), join(folder, 'hermes', 'state.db'))
    copyFileSync(hermesStore(), join(folder, 'hermes', 'profiles', 'work', 'state.db'))
    const { sources } = await refold(['import', 'hermes', 'hermes/state.db'])
    expect(sources.map(({ path }: { path: string }) => path)).toEqual([
      'hermes/state.db',
      'hermes/profiles/work/state.db',
    ])
  })

  test('says what it did in words', async () => {
    const { db } = store()
    const file = hermesStore()
    const { exit, output } = await call(['--db', db, 'import', file])
    expect(exit).toBe(0)
    expect(output).toMatch(/state\.db: 1 session, 2 messages in \d+ events are new\n {2}\S+ /)
    expect((await call(['--db', db, 'import', file])).output).toContain('1 session, nothing new')
  })

  test('refuses what it cannot read, before it writes anything', async () => {
    const { folder, refold } = store()
    writeFileSync(join(folder, 'letter.txt'), 'Dear Ada')
    mkdirSync(join(folder, 'empty'))
    const code = async (...paths: readonly string[]): Promise<string> =>
      (await refold(['import', ...paths], { exit: 1 })).error.code
    expect(await code('nowhere.db')).toBe('file-not-readable')
    expect(await code('empty')).toBe('unknown-history')
    expect(await code('letter.txt')).toBe('unknown-history')
    expect(await code(hermesStore(), 'nowhere.db')).toBe('file-not-readable')
    expect((await refold(['list'], { exit: 1 })).error.code).toBe('store-missing')
  })
})
