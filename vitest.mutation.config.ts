import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** Tests of the rules only: those that need other processes or the built command say nothing about a mutant. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: [
      'test/projections/**/*.test.ts',
      'test/engine/commands/**/*.test.ts',
      'test/engine/deciding/**/*.test.ts',
      'test/engine/facade/**/*.test.ts',
      'test/invariants/**/*.test.ts',
      'test/scenarios/theme-*.test.ts',
    ],
    // Says something about files, not rules, and sets the process's umask, which Stryker's worker threads may not.
    exclude: ['test/scenarios/theme-m-privacy.test.ts'],
  },
})
