import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { facadeWorld, startIn, sure } from '../support/facade-world.ts'

test('a signal that fires while a watch begins ends it', async () => {
  const { engine } = await facadeWorld()
  await startIn(engine)
  const stopping = new AbortController()
  const beginning = engine.watch({ query: 'list' }, { signal: stopping.signal })
  stopping.abort()
  const { feed } = sure(await beginning)
  const told: unknown[] = []
  for await (const message of feed) told.push(message)
  expect(told.length).toBeLessThanOrEqual(1)
  await engine.close()
})

test('a signal keeps nothing of the feeds that ended before it', async () => {
  const { engine } = await facadeWorld()
  const { signal } = new AbortController()
  for (let round = 0; round < 20; round += 1) sure(await engine.watch({ query: 'list' }, { signal })).feed.close()
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  await engine.close()
})
