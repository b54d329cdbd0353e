import { test } from 'vitest'
import { openWorld, type ScenarioWorld } from './scenario-world.ts'

export type { ScenarioWorld } from './scenario-world.ts'
export { waiting, type WaitedFor } from './waiting.ts'

/** Replays one scenario of the catalogue of public bugs in a world of its own; each clause of *Expected* is a `clause`. */
export function scenario(id: string, symptom: string, run: (world: ScenarioWorld) => Promise<void>): void {
  test(`${id}: ${symptom}`, async ({ onTestFinished }) => {
    const world = await openWorld()
    onTestFinished(() => world.close())
    await run(world)
  })
}
