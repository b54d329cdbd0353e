import * as fc from 'fast-check'
import type { EventStore } from '@refold/events'
import { appends } from './commands/appending.ts'
import { changes } from './commands/changing.ts'
import { compactingCommands } from './commands/compacting.ts'
import { sessionCommands } from './commands/sessions.ts'
import { survival } from './commands/surviving.ts'
import { workCommands } from './commands/working.ts'
import { compareWorld } from './compare.ts'
import { metEvents } from './coverage.ts'
import { newWorld, type World } from './model/world.ts'
import { start } from './model/rules/start.ts'
import { Stage, type StoreKind } from './stage.ts'
import type { WorldCommand } from './world-command.ts'

/** Random but plausible worlds: what happens often in life happens often here. */
const step: fc.Arbitrary<WorldCommand> = fc.oneof(
  { weight: 14, arbitrary: appends },
  { weight: 8, arbitrary: changes },
  { weight: 7, arbitrary: compactingCommands },
  { weight: 10, arbitrary: sessionCommands },
  { weight: 8, arbitrary: workCommands },
  { weight: 5, arbitrary: survival },
)

/** `replayPath`: which commands of a failing world were run, as its report says. */
export const worlds = (maxCommands: number, replayPath = ''): fc.Arbitrary<Iterable<fc.AsyncCommand<World, Stage>>> =>
  fc.commands([step], { maxCommands, size: 'max', ...(replayPath === '' ? {} : { replayPath }) })

/** Drives the engine and the model through one world and compares everything at its end, after opening anew, too. */
export async function live(kind: StoreKind, commands: Iterable<fc.AsyncCommand<World, Stage>>): Promise<void> {
  const { world, stage } = await lead(kind, commands)
  try {
    await compareWorld(world, stage)
    await stage.reopen({ withoutViews: true })
    await compareWorld(world, stage)
    await metEvents(stage.store)
  } finally {
    await stage.close()
  }
}

/** Drives the engine and the model through one world and leaves it open. */
export async function lead(
  kind: StoreKind,
  commands: Iterable<fc.AsyncCommand<World, Stage>>,
  over?: (store: EventStore) => EventStore,
): Promise<{ readonly world: World; readonly stage: Stage }> {
  const stage = await Stage.open(kind, over)
  const world = newWorld(() => stage.source.now())
  try {
    for (const [index, namespace] of world.namespaces.entries()) {
      for (const id of ['s0', 's1']) {
        const verdict = start(world, namespace, { id, title: null, resetOf: null })
        await stage.engine(index, 0).start({ id })
        if (verdict.code === 'ok') verdict.apply(undefined)
        world.step += 1
      }
    }
    await fc.asyncModelRun(() => ({ model: world, real: stage }), commands)
    return { world, stage }
  } catch (problem) {
    await stage.close()
    throw problem
  }
}
