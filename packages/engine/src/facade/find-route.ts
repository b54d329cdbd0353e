import { claimStreamFor } from '@refold/events'
import { read } from '../deciding/reading.ts'
import { runAsync } from '../deciding/run.ts'
import type { RouteTarget } from './engine.ts'
import type { SessionPlace } from './session.ts'

/** Asked of the log alone, so that no view can be behind. */
export async function findRoute({ driver, namespace }: SessionPlace, route: string): Promise<RouteTarget> {
  const { store, source, states } = driver
  const stream = claimStreamFor(source.sha256, store.secret, { namespace, kind: 'route', name: route })
  const { holder, taken } = await runAsync(read.claim(stream), store, states)
  return { session: holder, generation: taken }
}
