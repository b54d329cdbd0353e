import { fc } from '@fast-check/vitest'
import type { Step } from './simulated-chat.ts'

const word = fc.constantFrom('continue', 'ok', 'yes')

const anyStep: fc.Arbitrary<Step> = fc.oneof(
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

export const anySteps: fc.Arbitrary<readonly Step[]> = fc.array(anyStep, { maxLength: 14 })
