import { expect, test } from 'vitest'
import { matchExpression, parseQuery } from '@refold/projections'
import { facadeWorld, startIn, sure } from '../support/facade-world.ts'

test('what a query says twice is looked for once', () => {
  const once = { words: ['fox'], prefix: false }
  expect(parseQuery('fox FOX fox')).toEqual({ all: [[once]], none: [] })
  expect(parseQuery('fox OR fox')).toEqual({ all: [[once]], none: [] })
  expect(parseQuery('-fox -fox')).toEqual({ all: [[once]], none: [] })
  expect(parseQuery('a -fox -Fox').none).toEqual([once])
  expect(matchExpression(parseQuery('fox '.repeat(250_000)), [])).toBe(matchExpression(parseQuery('fox'), []))
})

test('a million characters of the same word find what the word finds', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(await session.append({ id: 'm1', role: 'user', text: 'hello flying fox' }))
  const once = sure(await engine.search('fox'))
  expect(once.hits).toHaveLength(1)
  expect(sure(await engine.search('fox '.repeat(250_000)))).toEqual(once)
  const many = Array.from({ length: 20_000 }, (_, n) => `"fox ${n}"`).join(' OR ')
  expect(sure(await engine.search(`${many} OR flying`)).hits).toHaveLength(1)
  await engine.close()
})
