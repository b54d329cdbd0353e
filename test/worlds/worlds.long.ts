import { expect, test } from 'vitest'
import { checkWorlds } from './check-worlds.ts'
import { applicableFolds, commandsMet, coverageLines, timesMet } from './coverage.ts'
import { applicableOutcomes, UNMET } from './outcomes.ts'
import { LONG_COMMANDS } from './run-worlds.ts'

const { REFOLD_RUNS, REFOLD_MINUTES } = process.env
const COMMANDS = REFOLD_RUNS === undefined ? Infinity : Number(REFOLD_RUNS)
const MINUTES = REFOLD_MINUTES === undefined ? (REFOLD_RUNS === undefined ? 30 : Infinity) : Number(REFOLD_MINUTES)
/** Worlds of one seed; progress is told after each. */
const WORLDS = 40
/** Each pair must be met this often for every million commands; shorter runs only tell. */
const TIMES = 100
const MILLION = 1_000_000

const applicable: readonly string[] = [
  ...applicableOutcomes,
  ...applicableFolds.filter((pair) => !UNMET.has(pair.split(' ', 1)[0] ?? '')),
]

const isDone = (started: number): boolean =>
  commandsMet() >= COMMANDS || performance.now() - started >= MINUTES * 60_000

function tellProgress(started: number, seed: number): void {
  const seconds = (performance.now() - started) / 1_000
  const done = commandsMet()
  const left = Math.min(MINUTES * 60 - seconds, ((COMMANDS - done) / done) * seconds)
  const told = [`${done} commands`, `${Math.round(done / seconds)}/s`, `${Math.max(0, Math.round(left))} s left`]
  process.stderr.write(`${told.join(', ')}, seed ${seed} held\n`)
}

test('whatever is done, for as long as told, all reads say what the model says', { timeout: 2 ** 31 - 1 }, async () => {
  const started = performance.now()
  try {
    for (let round = 0; !isDone(started); round += 1) {
      const seed = Math.floor(Math.random() * 2 ** 31)
      const kind = round % 4 === 3 ? 'sqlite' : 'memory'
      const file = `test/worlds/${kind}.test.ts`
      await checkWorlds({ kind, file, params: { seed, numRuns: WORLDS }, maxCommands: LONG_COMMANDS })
      tellProgress(started, seed)
    }
  } finally {
    process.stderr.write(`${coverageLines(applicable)}\n`)
  }
  const least = Math.floor(commandsMet() / MILLION) * TIMES
  expect(applicable.filter((pair) => timesMet(pair) < least)).toEqual([])
})
