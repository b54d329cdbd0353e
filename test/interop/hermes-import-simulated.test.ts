import { fc, test } from '@fast-check/vitest'
import { importHistory } from '@refold/interop'
import { expect } from 'vitest'
import { anySteps } from './hermes/any-steps.ts'
import { makeStore } from './hermes/made-store.ts'
import { simulate } from './hermes/simulated-chat.ts'
import { source, withEngine } from './importing/engines.ts'
import { contextOf, messagesOf, viewOf, wordsOf } from './importing/view-of.ts'

const seed = Number(process.env['HERMES_SEED'] ?? 20_260_901)
const runs = Number(process.env['HERMES_RUNS'] ?? 60)
const cuts = fc.array(fc.nat(13), { maxLength: 3 })

test.prop([anySteps, cuts], { seed, numRuns: runs })(
  `however often a growing chat is imported, it reads as if it was imported once (HERMES_SEED=${seed})`,
  async (steps, places) => {
    const chat = simulate(steps)
    const whole = makeStore(chat)
    const atOnce = await withEngine('memory', async (engine) => {
      await importHistory(engine, whole, { source })
      const said = (await messagesOf(engine, 'seg-0')).map(wordsOf)
      expect(said).toEqual(chat.shown)
      const context = await contextOf(engine, 'seg-0')
      expect(context.filter(({ standsFor }) => standsFor === 'summary').length).toBeLessThan(2)
      return viewOf(engine)
    })
    await withEngine('memory', async (engine) => {
      for (const at of places.toSorted((a, b) => a - b))
        await importHistory(engine, makeStore(simulate(steps.slice(0, at))), { source })
      await importHistory(engine, whole, { source })
      expect(await viewOf(engine)).toEqual(atOnce)
      expect(await importHistory(engine, whole, { source })).toMatchObject({ events: 0, messages: 0 })
    })
  },
)
