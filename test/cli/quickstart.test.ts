import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeStore, start } from '../interop/hermes/made-store.ts'
import { call, callsOn, scratchFolder } from './call.ts'
import { spawned } from './spawned.ts'

const hermesStore = (): string =>
  makeStore({
    sessions: [{ id: 'h1', source: 'cli', started_at: start, title: 'Scanner' }],
    messages: [{ id: 1, session_id: 'h1', role: 'user', content: 'Why does it fail?', timestamp: start + 1 }],
  })

describe('quickstart', () => {
  test('imports what it is given and shows it, with the command that comes next', async () => {
    const folder = scratchFolder(onTestFinished)
    copyFileSync(hermesStore(), join(folder, 'state.db'))
    const { exit, output } = await call(['quickstart', 'state.db'], { folder })
    expect(exit).toBe(0)
    expect(output).toMatch(/^state\.db: 1 session, 1 message in \d+ events are new\n/)
    expect(output).toMatch(/\nh1 +Scanner +\w+ +1 /)
    expect(output).toContain('  Why does it fail?')
    expect(output).toContain('  refold show Scanner --db .refold/refold.db\n')
    const next = await call(['show', 'Scanner', '--db', '.refold/refold.db'], { folder })
    expect(next.output).toContain('Why does it fail?')
  })

  test('a second time adds nothing', async () => {
    const folder = scratchFolder(onTestFinished)
    const file = hermesStore()
    const first = (await call(['quickstart', file, '--json'], { folder })).json
    const second = (await call(['quickstart', file, '--json'], { folder })).json
    expect(first).toMatchObject({
      store: join(folder, '.refold', 'refold.db'),
      example: false,
      sources: [{ format: 'hermes', messages: 1 }],
      sessions: [{ id: 'h1', title: 'Scanner' }],
      total: 1,
      transcript: { session: 'h1', entries: [{ kind: 'message', text: 'Why does it fail?' }], cursor: null },
    })
    expect(second).toMatchObject({ sources: [{ events: 0, messages: 0 }], total: 1 })
    expect(second.transcript).toEqual(first.transcript)
  })

  test("finds this machine's histories, those of profiles too", async () => {
    const folder = scratchFolder(onTestFinished)
    const home = scratchFolder(onTestFinished)
    mkdirSync(join(home, '.hermes', 'profiles', 'work'), { recursive: true })
    copyFileSync(hermesStore(), join(home, '.hermes', 'state.db'))
    copyFileSync(hermesStore(), join(home, '.hermes', 'profiles', 'work', 'state.db'))
    const { json } = await call(['quickstart', '--json'], { folder, home })
    expect(json.example).toBe(false)
    expect(json.sources.map(({ path }: { path: string }) => path)).toEqual([
      join(home, '.hermes/state.db'),
      join(home, '.hermes/profiles/work/state.db'),
    ])
  })

  test('without any history makes an example, says so, and makes it once', async () => {
    const folder = scratchFolder(onTestFinished)
    const home = scratchFolder(onTestFinished)
    const first = await call(['quickstart'], { folder, home })
    expect(first.exit).toBe(0)
    expect(first.output).toContain('small example that Refold made itself')
    const refold = callsOn(join(folder, '.refold', 'refold.db'))
    const list = await refold(['list', '--all'])
    expect(list.sessions.map(({ id, origin }: { id: string; origin: { kind: string } }) => [id, origin.kind])).toEqual(
      expect.arrayContaining([
        ['example-scanner', 'root'],
        ['example-scanner-interrupt', 'branch'],
        ['example-data-sheet', 'delegate'],
        ['example-release-notes', 'root'],
      ]),
    )
    const kinds = new Set((await refold(['show', 'example-scanner'])).entries.map(({ kind }: { kind: string }) => kind))
    expect(kinds).toEqual(new Set(['message', 'delegate', 'compaction', 'rotation']))
    await refold(['append', 'example-scanner'], { input: '{"id":"mine","role":"user","text":"Mine"}\n' })
    await call(['quickstart'], { folder, home })
    const after = await refold(['list', '--all'])
    expect(after.total).toBe(list.total)
    expect((await refold(['show', 'example-scanner'])).entries.at(-1)).toMatchObject({ id: 'mine' })
  })

  test('archives the example once a history was imported, and once only', async () => {
    const folder = scratchFolder(onTestFinished)
    const home = scratchFolder(onTestFinished)
    await call(['quickstart'], { folder, home })
    const file = hermesStore()
    const { json } = await call(['quickstart', file, '--json'], { folder, home })
    expect(json).toMatchObject({ sessions: [{ id: 'h1' }], total: 1, transcript: { session: 'h1' } })
    const refold = callsOn(join(folder, '.refold', 'refold.db'))
    expect((await refold(['list', '--archived'])).total).toBe(4)
    await refold(['unarchive', 'example-scanner'])
    expect((await call(['quickstart', file, '--json'], { folder, home })).json.total).toBe(2)
  })

  test('finishes an example that was interrupted', async () => {
    const folder = scratchFolder(onTestFinished)
    const home = scratchFolder(onTestFinished)
    const db = join(folder, '.refold', 'refold.db')
    const begun = [
      'start',
      '--id',
      'example-scanner',
      '--key',
      'example',
      '--model',
      'example-model',
      '--title',
      'Sensor trouble',
    ]
    await callsOn(db)(begun)
    const { json } = await call(['quickstart', '--json'], { folder, home })
    expect(json).toMatchObject({ example: true, total: 3 })
  })

  test('makes no example in a store that holds something', async () => {
    const folder = scratchFolder(onTestFinished)
    const home = scratchFolder(onTestFinished)
    const db = join(folder, '.refold', 'refold.db')
    await callsOn(db)(['start', '--id', 's1'])
    const { json } = await call(['quickstart', '--json'], { folder, home })
    expect(json).toMatchObject({ example: false, total: 1, sources: [] })
  })

  test('works in the folder where npm was called', async () => {
    const folder = scratchFolder(onTestFinished)
    copyFileSync(hermesStore(), join(folder, 'state.db'))
    const ended = await spawned(['quickstart', 'state.db'], {
      environment: { npm_package_name: 'refold-workspace', npm_lifecycle_event: 'start', INIT_CWD: folder },
    })
    expect(ended).toMatchObject({ status: 0, errors: '' })
    expect(ended.output).toContain('  npm run --silent refold -- show Scanner --db .refold/refold.db\n')
    expect(existsSync(join(folder, '.refold', 'refold.db'))).toBe(true)
  })

  test('leaves no store behind where its history cannot be read', async () => {
    const folder = scratchFolder(onTestFinished)
    expect((await call(['quickstart', 'nowhere.db'], { folder })).exit).toBe(1)
    expect(existsSync(join(folder, '.refold'))).toBe(false)
  })
})
