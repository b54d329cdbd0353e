import { expect, test } from 'vitest'
import { sure } from '../support/facade-world.ts'
import { finishedWorlds } from '../invariants/finished-worlds.ts'

const seed = 20_261_201
const worlds = finishedWorlds(seed, 8)

test(`whatever happened to a store, nothing is wrong with it (seed ${seed})`, async () => {
  let compared = 0
  await worlds.each(async ({ stage, log }) => {
    // Of the second engines, those over SQLite keep their views in a file.
    const engine = stage.engine(0, 1)
    sure(await engine.list())
    const report = await engine.doctor()
    expect(report).toMatchObject({ ok: true, counts: {}, events: log.length })
    if (report.views !== null) compared += report.events
  })
  expect(compared).toBeGreaterThan(0)
})
