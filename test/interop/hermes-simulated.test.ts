import { test } from '@fast-check/vitest'
import { shownMessages } from '@refold/interop'
import { expect } from 'vitest'
import { makeStore, readAll } from './hermes/made-store.ts'
import { anySteps } from './hermes/any-steps.ts'
import { simulate } from './hermes/simulated-chat.ts'

const seed = Number(process.env['HERMES_SEED'] ?? 20_260_831)
const runs = Number(process.env['HERMES_RUNS'] ?? 150)

test.prop([anySteps], { seed, numRuns: runs })(
  `whatever Hermes does to the rows, a person reads what was said (HERMES_SEED=${seed})`,
  (steps) => {
    const chat = simulate(steps)
    const [found, ...others] = readAll(makeStore(chat))
    expect(others).toEqual([])
    if (found === undefined) throw new Error('There is no conversation')
    expect(shownMessages(found).map(({ role, text }) => `${role}: ${text}`)).toEqual(chat.shown)
  },
)
