import type { EventStore } from '@refold/events'
import type { SearchIndex } from '../search/search-index.ts'
import type { Checkpoint, RebuildOptions, RebuildProgress } from '../views/views.ts'

/** What can be made anew: all row views, which read each other and are folded together, and the search index. */
export type RebuiltView = 'rows' | 'search'

export const rebuiltViews: readonly RebuiltView[] = ['rows', 'search']

export interface RebuildViewsOptions {
  /** Absent: all. */
  readonly views?: readonly RebuiltView[]
  readonly onProgress?: (progress: RebuildProgress & { readonly view: RebuiltView }) => void
  readonly signal?: AbortSignal
}

export interface RebuiltViews {
  /** Which, and the position up to which each goes. */
  readonly views: readonly { readonly view: RebuiltView; readonly position: number }[]
}

interface RebuildPlace {
  readonly rebuildRows: (options: RebuildOptions) => Promise<Checkpoint>
  readonly search: Pick<SearchIndex, 'rebuild'>
  readonly driver: { readonly store: Pick<EventStore, 'logHead'> }
}

/** One after another, each beside the one that readers go on to see. */
export async function rebuildViews(
  { rebuildRows, search, driver }: RebuildPlace,
  { views = rebuiltViews, onProgress, signal }: RebuildViewsOptions,
): Promise<RebuiltViews> {
  const done: { readonly view: RebuiltView; readonly position: number }[] = []
  for (const view of rebuiltViews.filter((one) => views.includes(one))) {
    const options = {
      ...(signal && { signal }),
      ...(onProgress && { onProgress: (progress: RebuildProgress) => onProgress({ ...progress, view }) }),
    }
    if (view === 'rows') done.push({ view, position: (await rebuildRows(options)).position })
    else {
      const { position } = await driver.store.logHead()
      await search.rebuild(options)
      done.push({ view, position })
    }
  }
  return { views: done }
}
