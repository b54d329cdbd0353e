import type { Actor } from '@refold/events'
import { projections } from '@refold/projections'
import { searchFileOf, viewsFileOf } from '../facade/store-files.ts'
import { SearchIndex } from '../search/search-index.ts'
import type { Source } from '../source.ts'
import { openSqliteStore } from '../stores/sqlite/open-sqlite-store.ts'
import { systemSource } from '../system-source.ts'
import { openViews } from '../views/open-views.ts'
import { doctor } from './doctor.ts'
import type { DoctorOptions, DoctorReport } from './doctor-report.ts'

export interface DoctorOfFileOptions extends DoctorOptions {
  readonly source?: Source
  /** Who repairs. */
  readonly actor?: Actor
}

/**
 * Looks at a store in a file as it lies there, views and search index included, before anything opens and mends them: see
 * `docs/doctor.md`. Changes nothing without `repair`. Others may go on reading and writing. Throws what opening a store throws,
 * `store-damaged` among it, and the signal's reason.
 */
export async function doctorOfFile(file: string, options: DoctorOfFileOptions = {}): Promise<DoctorReport> {
  const { source = systemSource, actor = { kind: 'agent', id: 'refold' }, ...rest } = options
  const store = await openSqliteStore({ file, access: rest.repair === true ? 'write' : 'read', source })
  const files = { log: store.file, views: viewsFileOf(store.file), search: searchFileOf(store.file) }
  const search = new SearchIndex({ log: store, source, file: files.search })
  try {
    return await doctor(
      {
        store,
        source,
        search,
        files,
        actor,
        rebuildRows: async (wished) => {
          const views = await openViews({ log: store, projections, source, file: files.views })
          await views.rebuild(wished).finally(() => views.close())
        },
      },
      rest,
    )
  } finally {
    await search.close()
    await store.close()
  }
}
