import type { EventStore } from '@refold/events'
import type { Place } from './place.ts'
import { storeMissing } from './store-missing.ts'

/** Reads the place's log itself, without views: nothing is made or changed. */
export async function useLog<T>(place: Place, work: (store: EventStore) => Promise<T>): Promise<T> {
  const { isRefoldError, openSqliteStore } = await import('@refold/engine')
  const store = await openSqliteStore({ file: place.file, access: 'read' }).catch((problem: unknown): never => {
    throw isRefoldError(problem, 'store-missing') ? storeMissing(place) : problem
  })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
