import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openEngine, systemSource, verifyStore, type Engine } from '@refold/engine'
import { facadeWorld, linesOf, startIn, sure } from '../support/facade-world.ts'

const SECRET = 'xyzzy-plugh-7391'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'refold-again-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

async function opened(file: string): Promise<Engine> {
  const engine = await openEngine({ file })
  onTestFinished(() => engine.close())
  return engine
}

test('a store in memory purges, too, and keeps what was never deleted', async () => {
  const { engine } = await facadeWorld()
  const [s, t] = [await startIn(engine, 's'), await startIn(engine, 't')]
  for (const one of [s, t]) sure(await one.append({ id: 'u1', role: 'user', text: `words of ${one.id}` }))
  sure(await engine.delete(['s']))
  expect(await engine.purge(['s'])).toMatchObject({ ok: true, sessions: ['s'], pending: [] })
  expect(JSON.stringify(await engine.store.readAll({ limit: 100 }))).not.toContain('words of s')
  expect(await linesOf(t)).toEqual(['u1: words of t'])
})

test('what a branch needed goes with the branch', async () => {
  const file = join(folder(), 'agent.db')
  const engine = await opened(file)
  const s = await startIn(engine)
  sure(await s.append({ id: 'u1', role: 'user', text: `shared ${SECRET}` }))
  sure(await s.branch({ from: 'u1', id: 'b' }))
  sure(await engine.delete(['s']))
  expect(sure(await engine.purge(['s'])).kept).toHaveLength(1)
  sure(await engine.delete(['b']))
  expect(sure(await engine.purge(['s'])).kept).toHaveLength(1) // deleted but not purged counts as living
  expect(sure(await engine.purge(['b']))).toMatchObject({ sessions: ['b', 's'], kept: [] })
  const bytes = Buffer.concat(readdirSync(join(file, '..')).map((name) => readFileSync(join(file, '..', name))))
  expect(bytes.includes(SECRET)).toBe(false)
  sure(await engine.list())
  expect((await engine.doctor()).findings).toEqual([])
})

test('a blob that two sessions share goes with the second of them', async () => {
  const engine = await opened(join(folder(), 'agent.db'))
  const text = `${SECRET} `.repeat(2_000)
  for (const id of ['s', 't']) sure(await (await startIn(engine, id)).append({ id: 'u1', role: 'user', text }))
  const hash = systemSource.sha256(text)
  sure(await engine.delete(['s']))
  expect(sure(await engine.purge(['s']))).toMatchObject({ blobs: 0 })
  expect(await engine.store.blob(hash)).toBeDefined()
  sure(await engine.delete(['t']))
  expect(sure(await engine.purge(['t']))).toMatchObject({ blobs: 1 })
  expect(await engine.store.blob(hash)).toBeUndefined()
})

test('a receipt that was not written is written by the next purge', async () => {
  const engine = await opened(join(folder(), 'agent.db'))
  const s = await startIn(engine)
  sure(await s.append({ id: 'u1', role: 'user', text: 'words' }))
  sure(await engine.delete(['s']))
  const reader = new Database(
    join(engine.store instanceof Object && 'file' in engine.store ? String(engine.store.file) : ''),
  )
  onTestFinished(() => {
    reader.close()
  })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM events').get()
  expect(sure(await engine.purge(['s'])).pending).toEqual(['log'])
  const types = async () => (await engine.factsOf('s')).map(({ type }) => type).slice(3)
  expect(await types()).toEqual(['PurgeStarted'])
  reader.exec('COMMIT')
  expect(sure(await engine.purge(['s'])).pending).toEqual([])
  expect(await types()).toEqual(['PurgeStarted', 'Purged'])
  sure(await engine.purge(['s']))
  expect(await types()).toEqual(['PurgeStarted', 'Purged'])
})

test('a purge vouches only for what it left: a word put in its place later is a break', async () => {
  const file = join(folder(), 'agent.db')
  const engine = await openEngine({ file })
  const s = await startIn(engine)
  sure(await s.append({ id: 'u1', role: 'user', text: 'words' }))
  sure(await engine.delete(['s']))
  sure(await engine.purge(['s']))
  expect(await verifyStore(engine.store, systemSource.sha256)).toMatchObject({ ok: true })
  await engine.close()
  const database = new Database(file)
  database.prepare(`UPDATE events SET payload = replace(payload, '█', 'lies') WHERE revision = 1`).run()
  database.close()
  const again = await opened(file)
  expect(await verifyStore(again.store, systemSource.sha256)).toMatchObject({
    ok: false,
    firstBreak: { revision: 1, problem: 'masked' },
  })
})
