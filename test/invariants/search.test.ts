import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { openEngine, openMemoryStore, SearchIndex, taken } from '@refold/engine'
import { facadeWorld, startIn, sure } from '../support/facade-world.ts'
import { testSource } from '../support/test-source.ts'
import { foundIn, seenIn } from '../search/naive-search.ts'
import { compact, turns } from './conversation.ts'
import { finishedWorlds } from './finished-worlds.ts'

const seed = 69_001
const { each } = finishedWorlds(seed, 4)

test(`A69: what is read is found, and what is found is read, in random worlds (seed ${seed})`, () =>
  each(async ({ stage }) => {
    for (const [query, fits] of [
      ['word', (text: string) => /\bword\b/.test(text)],
      ['sensor', (text: string) => text.includes('sensor')],
      ['很', (text: string) => text.includes('很')],
    ] as const)
      for (const namespace of [0, 1]) {
        const engine = stage.engine(namespace, 0)
        expect({ query, found: await foundIn(engine, { query, fits }) }).toEqual({
          query,
          found: await seenIn(engine, { query, fits }),
        })
      }
  }))

test('A70: what was summarised away from the model is found still, each message once, whatever segment or name it is in', async () => {
  const { engine } = await facadeWorld()
  const session = await startIn(engine)
  sure(await session.append(turns(1, 4)))
  sure(await compact(session))
  sure(await session.rotate({ segment: 'next' }))
  sure(await session.append(turns(5, 5)))
  const { hits } = taken(await engine.search('sensor'))
  expect(hits.map(({ message }) => message).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'U1',
    'U2',
    'U3',
    'U4',
    'U5',
  ])
  for (const hit of hits) expect(hit).toMatchObject({ sessions: ['s'], tip: 'next' })
  expect(taken(await engine.search('"Cables"')).hits).toEqual([])
  await engine.close()
})

property.prop([fc.string({ unit: 'binary', maxLength: 30 })], { seed, numRuns: 150 })(
  `A71: any text is a query: it is answered, and never with an error (seed ${seed})`,
  async (query) => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    sure(await session.append(turns(1, 1)))
    expect(taken(await engine.search(query)).cursor).toBe(null)
    await engine.close()
  },
)

test('A72: whoever searches while an index is made anew finds the same as before and after', async () => {
  const source = testSource()
  const store = openMemoryStore(source)
  const engine = await openEngine({ store, source })
  const session = await startIn(engine)
  sure(await session.append(turns(1, 40)))
  const before = taken(await engine.search('motor', { limit: 100 }))
  expect(before.hits).toHaveLength(40)
  const search = new SearchIndex({ log: store, source, pageSize: 3 })
  const anew = await openEngine({ store, source, search })
  const during = await Promise.all([1, 2, 3].map(() => anew.search('motor', { limit: 100 })))
  for (const page of [...during, await anew.search('motor', { limit: 100 })]) expect(taken(page)).toEqual(before)
  await anew.close()
  await search.close()
  await engine.close()
})

property.prop(
  [
    fc.array(fc.constantFrom(...Array.from('传感器为什么坏了因电缆贴着机가나다センサ')), {
      minLength: 1,
      maxLength: 25,
    }),
    fc.nat(),
    fc.nat(3),
  ],
  { seed, numRuns: 100 },
)(
  `A73: any run of characters of a script without spaces is found, single ones too (seed ${seed})`,
  async (characters, from, more) => {
    const { engine } = await facadeWorld()
    const session = await startIn(engine)
    sure(await session.append({ id: 'm', role: 'user', text: characters.join('') }))
    const start = from % characters.length
    const query = characters.slice(start, start + 1 + more).join('')
    const { hits } = taken(await engine.search(query))
    expect({ query, hits: hits.map(({ message }) => message) }).toEqual({ query, hits: ['m'] })
    await engine.close()
  },
)
