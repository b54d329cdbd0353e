import type * as fc from 'fast-check'
import { test } from 'vitest'
import { checkWorlds } from './check-worlds.ts'
import { failingSeeds } from './failing-seeds.ts'
import type { StoreKind } from './stage.ts'

/** How much of the ordinary run each store gets. */
export interface Budget {
  readonly seeds: readonly number[]
  readonly runs: number
  readonly commands: number
}

const { REFOLD_SEED, REFOLD_PATH, REFOLD_COMMANDS } = process.env
/** Of the worlds of the long run, which are replayed here. */
export const LONG_COMMANDS = 120

/**
 * The tests of one store. First the worlds that once failed, then fixed seeds, then a fresh one. With `REFOLD_SEED`,
 * `REFOLD_PATH` and `REFOLD_COMMANDS` a single failure again.
 */
export function testWorlds(kind: StoreKind, file: string, { seeds, runs, commands }: Budget): void {
  const check = (params: fc.Parameters<unknown>, maxCommands: number, replayPath = ''): Promise<void> =>
    checkWorlds({ kind, file, params, maxCommands, replayPath })
  if (REFOLD_SEED !== undefined) {
    const replay = { seed: Number(REFOLD_SEED), path: REFOLD_PATH ?? '' }
    test(`one world again, in ${kind} (seed ${REFOLD_SEED})`, { timeout: 600_000 }, () =>
      check({ ...replay, endOnFailure: true }, LONG_COMMANDS, REFOLD_COMMANDS),
    )
    return
  }
  for (const { seed, path, commands: replayPath, found } of failingSeeds.filter(({ store }) => store === kind))
    test(`a world that once failed: ${found} (${kind}, seed ${seed})`, () =>
      check({ seed, path, endOnFailure: true }, LONG_COMMANDS, replayPath))
  const fresh = Math.floor(Math.random() * 2 ** 31)
  // Said at once: a run that is killed has shown its seed.
  console.log(`${kind}: fresh seed ${fresh}`)
  for (const seed of [...seeds, fresh])
    test(`${kind}: whatever is done, all reads say what the model says (${seed === fresh ? 'fresh ' : ''}seed ${seed})`, () =>
      check({ seed, numRuns: runs }, commands))
}
