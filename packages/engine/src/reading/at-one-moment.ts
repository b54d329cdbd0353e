import type { TableReaders } from '@refold/projections'
import type { ReadingPlace } from './reading-side.ts'

/** A query's result together with the revision of the session that it shows. */
export interface Moment<T> {
  readonly revision: number
  readonly result: T
}

/**
 * Asks for the present, and says which revision that is. Where the session moved on while it was asked, asks again as of the
 * revision before; `at` asks for the past at once.
 */
export async function atOneMoment<T>(
  { store, views }: ReadingPlace,
  stream: string,
  at: number | undefined,
  query: (rows: TableReaders, at: number | undefined) => T,
): Promise<Moment<T>> {
  const before = (await store.head(stream))?.revision ?? -1
  if (at !== undefined && at < before) return { revision: at, result: await views.read((rows) => query(rows, at)) }
  const result = await views.read((rows) => query(rows, undefined))
  const after = (await store.head(stream))?.revision ?? -1
  if (after === before) return { revision: before, result }
  return { revision: before, result: await views.read((rows) => query(rows, before)) }
}
