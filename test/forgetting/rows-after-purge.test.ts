import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openEngine, type Engine } from '@refold/engine'
import { startIn, sure } from '../support/facade-world.ts'

async function engineOnFile(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'refold-purge-'))
  const engine = await openEngine({ file: join(folder, 'agent.db') })
  onTestFinished(async () => {
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return engine
}

/** What a fresh fold says otherwise than the rows that were folded before the purge. */
async function driftAfterPurge(engine: Engine, ...sessions: readonly string[]): Promise<readonly object[]> {
  sure(await engine.list())
  sure(await engine.delete(sessions))
  sure(await engine.list())
  sure(await engine.purge(sessions))
  sure(await engine.list())
  return (await engine.doctor()).findings
}

test('surface and models stay, so that rows folded before a purge are those folded after it', async () => {
  const engine = await engineOnFile()
  const s = sure(await engine.start({ id: 's', surface: 'cli', model: 'one', workspace: '/w' })).handle
  sure(await s.append({ id: 'u1', role: 'user', text: 'words' }))
  sure(await s.set({ key: 'model', value: 'two' }))
  sure(await s.set({ key: 'model', value: 'three' }))
  sure(await s.append({ id: 'u2', role: 'user', text: 'more words' }))
  expect(await driftAfterPurge(engine, 's')).toEqual([])
})

test('the same of sessions that were deleted, brought back with their titles and deleted again', async () => {
  const engine = await engineOnFile()
  for (const id of ['s', 't']) {
    const handle = await startIn(engine, id)
    sure(await handle.append({ id: 'u1', role: 'user', text: 'words' }))
    sure(await handle.rename(`title of ${id}`))
    sure(await engine.delete([id]))
    sure(await engine.restore(id))
  }
  expect(await driftAfterPurge(engine, 's', 't')).toEqual([])
})

test('the same of tags, routes, host values, ends, turns, rewinds, compactions and delegates', async () => {
  const engine = await engineOnFile()
  const s = await startIn(engine)
  for (const n of [1, 2, 3, 4]) sure(await s.append({ id: `u${n}`, role: 'user', text: `words ${n} `.repeat(40) }))
  sure(await s.set({ key: 'tag', tag: 'one', present: true }))
  sure(await s.set({ key: 'tag', tag: 'two', present: true }))
  sure(await s.set({ key: 'tag', tag: 'one', present: false }))
  sure(await s.set({ key: 'host', name: 'a', value: { b: 1 } }))
  sure(await s.bindRoute({ route: 'chat:1' }))
  sure(await s.bindRoute({ route: 'chat:2' }))
  sure(await s.releaseRoute('chat:1'))
  const d = sure(await s.spawn({ id: 'd', task: 'a task' })).handle
  sure(await d.append({ id: 'd1', role: 'user', text: 'task' }))
  sure(await s.report({ delegate: 'd', outcome: 'done', message: 'done' }))
  sure(await s.rewind({ to: 'u3' }))
  sure(await s.undo())
  sure(await s.edit('u2', { text: 'edited' }))
  const turn = sure(await s.startTurn({ holder: 'me' }))
  sure(await s.endTurn(turn.turn, { outcome: 'failed' }))
  sure(await s.rotate({ segment: 's-2' }))
  sure(await s.end({ reason: 'over', class: 'deliberate' }))
  expect(await driftAfterPurge(engine, 's')).toEqual([])
})

test('a living branch keeps its row in the list: preview, workspace and model that it began with', async () => {
  const engine = await engineOnFile()
  const s = sure(await engine.start({ id: 's', model: 'one', workspace: '/w' })).handle
  sure(await s.append({ id: 'u1', role: 'user', text: 'shared words' }))
  sure(await s.append({ id: 'u2', role: 'user', text: 'behind the cut' }))
  const b = sure(await s.branch({ from: 'u1', id: 'b' })).handle
  const all = async () => ({
    row: sure(await engine.list()).sessions.find(({ id }) => id === 'b'),
    settings: await b.settings(),
  })
  sure(await engine.delete(['s']))
  const before = await all()
  expect(before.row).toMatchObject({ preview: 'shared words', workspace: '/w' })
  sure(await engine.purge(['s']))
  expect(await all()).toEqual(before)
  await engine.rebuild()
  expect(await all()).toEqual(before)
})
