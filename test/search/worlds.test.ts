import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lead, worlds } from '../worlds/worlds.ts'
import { foundIn, seenIn, type Sought } from './naive-search.ts'

const has =
  (...words: readonly (string | RegExp)[]) =>
  (text: string): boolean =>
    words.every((word) => (typeof word === 'string' ? text.includes(word) : word.test(text)))

/** Of the texts that worlds are made of. */
const sought: readonly Sought[] = [
  { query: 'word', fits: has(/\bword\b/) },
  { query: 'sensor fail', fits: has('sensor', 'fail') },
  { query: '"words, long enough"', fits: has('words, long enough') },
  { query: '世界', fits: has('世界') },
  { query: '很', fits: has('很') },
  { query: '🧪', fits: has('🧪') },
  { query: 'half', fits: has('half') },
  { query: 'nothing OR marked', fits: has(/nothing|marked/) },
  { query: 'É', fits: has(/e\u0301|é/) },
  { query: 'json -word', fits: (text) => has('json')(text) && !has(/\bword\b/)(text) },
]

for (const [kind, seed] of [
  ['memory', 51],
  ['sqlite', 52],
] as const)
  test(`${kind}: in any world a search finds what reading every transcript finds (seed ${seed})`, async () => {
    const property = fc.asyncProperty(worlds(60), async (commands) => {
      const { world, stage } = await lead(kind, commands)
      try {
        for (const namespace of [0, 1]) {
          const engine = stage.engine(namespace, world.step)
          for (const one of sought)
            expect({ query: one.query, found: await foundIn(engine, one, 1 + (world.step % 5)) }).toEqual({
              query: one.query,
              found: await seenIn(engine, one),
            })
        }
      } finally {
        await stage.close()
      }
    })
    await fc.assert(property, { seed, numRuns: kind === 'memory' ? 6 : 2 })
  })
