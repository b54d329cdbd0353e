import * as fc from 'fast-check'
import { test } from 'vitest'
import { live, worlds } from './worlds.ts'

test('worlds', async () => {
  await fc.assert(
    fc.asyncProperty(worlds(Number(process.env['MAX'] ?? 40)), (commands) => live('memory', commands)),
    { numRuns: Number(process.env['RUNS'] ?? 20), seed: Number(process.env['SEED'] ?? 1), verbose: 0 },
  )
})
