import * as fc from 'fast-check'
import { test } from 'vitest'
import { coverageLines } from './coverage.ts'
import { failingSeeds } from './failing-seeds.ts'
import { live, worlds } from './worlds.ts'
import type { StoreKind } from './stage.ts'

/** How much of the ordinary run each store gets. */
export interface Budget {
  readonly seeds: readonly number[]
  readonly runs: number
  readonly commands: number
}

/** A failing world, found again: seed, path to the shrunk one, and which of its commands were run. */
interface Replay {
  readonly seed: number
  readonly path: string
  readonly commands: string
}

const { REFOLD_SEED, REFOLD_PATH, REFOLD_COMMANDS, REFOLD_MINUTES } = process.env
const LONG_COMMANDS = 120
const LONG_RUNS = 40

/**
 * The tests of one store. First the worlds that once failed, then fixed seeds, then a fresh one. With `REFOLD_SEED`,
 * `REFOLD_PATH` and `REFOLD_COMMANDS` a single failure again; with `REFOLD_MINUTES` fresh seeds for as long.
 */
export function testWorlds(kind: StoreKind, file: string, { seeds, runs, commands }: Budget): void {
  const assert = (params: fc.Parameters<unknown>, maxCommands: number, replayPath = ''): Promise<void> =>
    check(kind, file, params, maxCommands, replayPath)
  if (REFOLD_SEED !== undefined) {
    const replay = { seed: Number(REFOLD_SEED), path: REFOLD_PATH ?? '' }
    test(`one world again, in ${kind} (seed ${REFOLD_SEED})`, { timeout: 600_000 }, () =>
      assert({ ...replay, endOnFailure: true }, LONG_COMMANDS, REFOLD_COMMANDS),
    )
    return
  }
  for (const { seed, path, commands: replayPath, found } of failingSeeds.filter(({ store }) => store === kind))
    test(`a world that once failed: ${found} (${kind}, seed ${seed})`, () =>
      assert({ seed, path, endOnFailure: true }, LONG_COMMANDS, replayPath))
  if (REFOLD_MINUTES !== undefined) {
    const minutes = Number(REFOLD_MINUTES)
    test(`worlds for ${minutes} minutes, in ${kind}`, { timeout: (minutes + 5) * 60_000 }, () =>
      runLong(assert, minutes),
    )
    return
  }
  const fresh = Math.floor(Math.random() * 2 ** 31)
  // Said at once: a run that is killed has shown its seed.
  console.log(`${kind}: fresh seed ${fresh}`)
  for (const seed of [...seeds, fresh])
    test(`${kind}: whatever is done, all reads say what the model says (${seed === fresh ? 'fresh ' : ''}seed ${seed})`, () =>
      assert({ seed, numRuns: runs }, commands))
}

async function runLong(
  assert: (params: fc.Parameters<unknown>, maxCommands: number) => Promise<void>,
  minutes: number,
): Promise<void> {
  const end = performance.now() + minutes * 60_000
  try {
    while (performance.now() < end)
      await assert({ seed: Math.floor(Math.random() * 2 ** 31), numRuns: LONG_RUNS }, LONG_COMMANDS)
  } finally {
    console.log(coverageLines())
  }
}

async function check(
  kind: StoreKind,
  file: string,
  params: fc.Parameters<unknown>,
  maxCommands: number,
  replayPath: string,
): Promise<void> {
  const property = fc.asyncProperty(worlds(maxCommands, replayPath), (commands) => live(kind, commands))
  const { numRuns = 1, seed, path = '', endOnFailure = false } = params
  const details = await fc.check(property, { numRuns, path, endOnFailure, ...(seed === undefined ? {} : { seed }) })
  if (!details.failed) return
  const again = replayOf(details.seed, details.counterexamplePath, details.counterexample)
  const command = `REFOLD_SEED=${again.seed} REFOLD_PATH='${again.path}' REFOLD_COMMANDS='${again.commands}' npx vitest run ${file}`
  const message = await fc.asyncDefaultReportMessage(details)
  throw new Error(`${message ?? 'A world failed.'}\n\nReplay it: ${command}\n`, { cause: details.errorInstance })
}

function replayOf(seed: number, path: string | null, counterexample: unknown): Replay {
  const [, commands = ''] = /replayPath="([^"]*)"/.exec(fc.stringify(counterexample)) ?? []
  return { seed, path: path ?? '', commands }
}
