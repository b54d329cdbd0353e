import type { EventStore } from '@refold/events'
import { foldOf, tablesOf, type Projection } from '@refold/projections'
import type { Source } from '../source.ts'
import { MemoryViews } from './memory-views.ts'
import { SqliteViews } from './sqlite-views.ts'
import { viewShape } from './view-schema.ts'
import type { Views } from './views.ts'

export interface OpenViewsOptions<T> {
  readonly log: EventStore
  /** In the order in which their rules run. */
  readonly projections: readonly Projection<T>[]
  readonly source: Source
  /** The views file; views in memory where absent. */
  readonly file?: string
  /** Milliseconds to wait for another process that holds the views and makes no progress. Absent: 2 s. */
  readonly waitMs?: number
  /** Events folded at a time. Absent: 1,000, which die young: more would be copied by each collection. */
  readonly pageSize?: number
  /** Most missing events to fold in memory for one read while the file cannot be brought up to date. Absent: 20,000. */
  readonly mostEventsInMemory?: number
}

/** Opens the views of a log. A views file that is damaged or does not fit the log is no error: it is folded anew. */
export async function openViews<T extends { readonly [N in keyof T]: object }>(
  options: OpenViewsOptions<T>,
): Promise<Views<T>> {
  const { log, projections, source, file, waitMs = 2_000, pageSize = 1_000, mostEventsInMemory = 20_000 } = options
  const tables = tablesOf(projections)
  const fold = foldOf(projections)
  if (file === undefined) return new MemoryViews({ log, tables, fold, pageSize, mostEvents: Infinity })
  const shape = source.sha256(viewShape(tables, projections))
  const lockFile = `${file}-lock`
  const views = new SqliteViews({
    file,
    lockFile,
    log,
    tables,
    fold,
    shape,
    source,
    waitMs,
    pageSize,
    mostEventsInMemory,
  })
  await views.open()
  return views
}
