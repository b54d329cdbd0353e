import type { Engine } from '@refold/engine'
import { exampleSessions } from './example-history.ts'

/**
 * Archives what is there of the example, so that a history that was imported stands first. Once, by its key: who brings
 * the example back keeps it; and whoever writes in it brings it back.
 */
export async function putExampleAway(engine: Engine): Promise<void> {
  for (const id of exampleSessions) {
    const found = await engine.session(id)
    if (found.ok && found.session === id) await found.handle.archive({ by: 'idle', key: 'example-archive' })
  }
}
