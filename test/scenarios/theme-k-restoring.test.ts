import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { call as refold } from '../cli/call.ts'
import { scenario } from './scenario.ts'
import { appendTurns, start } from './words.ts'

scenario('B215', 'after restoring a store twelve sessions are silently missing', async (world) => {
  await appendTurns(await start(world.first, 'S'), 1, 2)
  const at = (name: string): string => join(world.folder, name)
  const inPlace = (words: readonly string[]) => refold(['--db', world.file, ...words])
  expect(await inPlace(['backup', at('backup.db')])).toMatchObject({ exit: 0 })
  const twelve = Array.from({ length: 12 }, (_, n) => `T${n}`)
  for (const id of twelve) await appendTurns(await start(world.first, id), 1, 3)
  writeFileSync(at('heads.txt'), (await inPlace(['heads'])).output)
  expect(await inPlace(['export', '--all', '--out', at('all.jsonl')])).toMatchObject({ exit: 0 })
  const restored = (words: readonly string[]) => refold(['--db', at('backup.db'), '--json', ...words])
  await world.clause('Check reports the missing range', async () => {
    const checked = await restored(['verify', '--heads', at('heads.txt')])
    expect(checked).toMatchObject({ exit: 3, json: { ok: false, firstBreak: { problem: 'truncated', session: 'T0' } } })
  })
  await world.clause('recovery restores 12 sessions once', async () => {
    const recovered = await restored(['import', at('all.jsonl')])
    expect(recovered.json).toMatchObject({ sources: [{ events: 84, messages: 72, alreadyThere: 5 }] })
    expect((await restored(['import', at('all.jsonl')])).json).toMatchObject({ sources: [{ events: 0, messages: 0 }] })
    expect((await restored(['list'])).json.total).toBe(13)
    for (const id of twelve)
      expect((await restored(['show', id])).json).toEqual((await inPlace(['--json', 'show', id])).json)
    expect(await restored(['verify', '--heads', at('heads.txt')])).toMatchObject({ exit: 0 })
  })
})
