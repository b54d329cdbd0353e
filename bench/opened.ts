import { join } from 'node:path'
import {
  openEngine,
  openSqliteStore,
  openViews,
  systemSource,
  type Engine,
  type OpenSqliteStoreOptions,
} from '@refold/engine'
import { projections } from '@refold/projections'
import type { EventStore } from '@refold/events'

/** An engine over a store that was filled before its views are folded. */
export interface OpenedBench {
  readonly engine: Engine
  readonly file: string
  readonly viewsFile: string
  readonly catchUp: () => Promise<unknown>
  readonly close: () => Promise<void>
}

export async function openBench(
  folder: string,
  name: string,
  fill: (store: EventStore) => Promise<unknown>,
  durability: NonNullable<OpenSqliteStoreOptions['durability']> = 'system',
): Promise<OpenedBench> {
  const file = join(folder, `${name}.db`)
  const viewsFile = join(folder, `${name}.views.db`)
  const store = await openSqliteStore({ file, durability })
  await fill(store)
  const views = await openViews({ log: store, projections, source: systemSource, file: viewsFile })
  await views.catchUp()
  const engine = await openEngine({ store, views })
  return {
    engine,
    file,
    viewsFile,
    catchUp: () => views.catchUp(),
    close: async () => {
      await engine.close()
      await views.close()
      await store.close()
    },
  }
}

/** What an answer holds; a refusal ends the benchmark, for what it measured would be nothing. */
export function taken<A extends { readonly ok: boolean }>(answer: A): Extract<A, { readonly ok: true }> {
  if (!isTaken(answer)) throw new Error(JSON.stringify(answer))
  return answer
}

function isTaken<A extends { readonly ok: boolean }>(answer: A): answer is Extract<A, { readonly ok: true }> {
  return answer.ok
}
