import * as fc from 'fast-check'
import { live, worlds } from './worlds.ts'
import type { StoreKind } from './stage.ts'

/** A failing world, found again: seed, path to the shrunk one, and which of its commands were run. */
interface Replay {
  readonly seed: number
  readonly path: string
  readonly commands: string
}

export interface Check {
  readonly kind: StoreKind
  /** Test file that replays a failure. */
  readonly file: string
  readonly params: fc.Parameters<unknown>
  readonly maxCommands: number
  readonly replayPath?: string
}

/** Lives through worlds; where one fails, says so with the command that replays it. */
export async function checkWorlds({ kind, file, params, maxCommands, replayPath = '' }: Check): Promise<void> {
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
