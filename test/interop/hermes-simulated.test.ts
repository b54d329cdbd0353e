import { fc, test } from '@fast-check/vitest'
import { shownMessages } from '@refold/interop'
import { expect } from 'vitest'
import { makeStore, readAll } from './hermes/made-store.ts'
import { simulate, type Step } from './hermes/simulated-chat.ts'

const word = fc.constantFrom('continue', 'ok', 'yes')

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('turn' as const),
      ask: word,
      answer: fc.constantFrom('Done.', 'ok'),
      tools: fc.nat(2),
      counted: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('compact' as const),
      how: fc.constantFrom('in place' as const, 'rotate' as const, 'fail' as const),
      times: fc.constantFrom('now' as const, 'kept' as const),
      tail: fc.nat(9),
      shape: fc.nat(2),
      askFirst: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undo' as const), turns: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('late' as const), ask: word }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('notice' as const) }) },
)

const seed = Number(process.env['HERMES_SEED'] ?? 20_260_831)
const runs = Number(process.env['HERMES_RUNS'] ?? 150)

test.prop([fc.array(step, { maxLength: 14 })], { seed, numRuns: runs })(
  `whatever Hermes does to the rows, a person reads what was said (HERMES_SEED=${seed})`,
  (steps) => {
    const chat = simulate(steps)
    const [found, ...others] = readAll(makeStore(chat))
    expect(others).toEqual([])
    if (found === undefined) throw new Error('There is no conversation')
    expect(shownMessages(found).map(({ role, text }) => `${role}: ${text}`)).toEqual(chat.shown)
  },
)
