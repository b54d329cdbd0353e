import { isIdentifier, RefoldError, type EventStore } from '@refold/events'
import { projections, type Tables } from '@refold/projections'
import { makeDriver } from '../deciding/make-driver.ts'
import { makeStates } from '../deciding/states.ts'
import { doctor } from '../doctor/doctor.ts'
import type { StoreFiles } from '../doctor/examine-files.ts'
import { ReadingSide } from '../reading/reading-side.ts'
import type { Source } from '../source.ts'
import { SearchIndex } from '../search/search-index.ts'
import { openSqliteStore } from '../stores/sqlite/open-sqlite-store.ts'
import { SqliteStore } from '../stores/sqlite/sqlite-store.ts'
import { systemSource } from '../system-source.ts'
import { openViews } from '../views/open-views.ts'
import type { Views } from '../views/views.ts'
import { WatchHub } from '../watching/watch-hub.ts'
import type { Engine, OpenFile, OpenOptions, OpenStore } from './engine.ts'
import { RefoldEngine } from './refold-engine.ts'
import { searchFileOf, viewsFileOf } from './store-files.ts'

/**
 * Opens an engine over a SQLite file (made if it is not there) or over a store that is open already.
 *
 * ```ts
 * const engine = await openEngine({ file: 'agent.db' })
 * const started = await engine.start({ title: 'Sensors' })
 * if (started.ok) await started.handle.append({ role: 'user', text: 'Why does the sensor fail?' })
 * await engine.close()
 * ```
 *
 * Throws `store-missing`, `not-a-store`, `store-newer`, `store-damaged`, `store-readonly`, `store-full`, `store-busy` or
 * `bad-id` for a namespace that is none.
 */
export async function openEngine(options: OpenOptions): Promise<Engine> {
  const { namespace = 'default', source = systemSource, actor = { kind: 'agent', id: 'refold' } } = options
  if (!isIdentifier(namespace)) throw new RefoldError('bad-id', { what: 'A namespace', value: namespace })
  const opened = 'file' in options ? await openOwn(options, source) : await borrow(options, source)
  const { store, views, search, files, close } = opened
  const watching = new WatchHub({ store, views, namespace, source })
  return new RefoldEngine({
    driver: makeDriver(store, source, makeStates(views.snapshots)),
    reading: new ReadingSide({ store, views, namespace, source }),
    namespace,
    actor,
    claims: true,
    watching,
    search,
    rebuildRows: (wished) => views.rebuild(wished),
    catchUp: () => views.catchUp(),
    scrubViews: () => views.scrub(),
    cleanLog: async () => (store instanceof SqliteStore ? store.clean() : true),
    doctor: (wished) =>
      doctor(
        { store, source, search, actor, rebuildRows: (more) => views.rebuild(more), ...(files && { files }) },
        wished,
      ),
    close: () => {
      watching.close()
      return close()
    },
  })
}

interface Parts {
  readonly store: EventStore
  readonly views: Views<Tables>
  readonly search: SearchIndex
  /** Where the views lie on a disk. */
  readonly files?: StoreFiles
  readonly close: () => Promise<void>
}

async function openOwn(options: OpenFile, source: Source): Promise<Parts> {
  const { file, durability = 'disk', readOnly = false, create = true } = options
  const access = readOnly ? 'read' : create ? 'create' : 'write'
  const store = await openSqliteStore({ file, access, durability, source })
  try {
    // A log that may not be written gets no views file beside it either.
    const beside = readOnly ? {} : { file: viewsFileOf(file) }
    const views = await openViews({ log: store, projections, source, ...beside })
    const search = new SearchIndex({ log: store, source, ...(readOnly ? {} : { file: searchFileOf(file) }) })
    const close = (): Promise<void> =>
      search
        .close()
        .finally(() => views.close())
        .finally(() => store.close())
    const files = { log: store.file, views: viewsFileOf(store.file), search: searchFileOf(store.file) }
    return { store, views, search, ...(readOnly ? {} : { files }), close }
  } catch (problem) {
    await store.close()
    throw problem
  }
}

async function borrow({ store, views, search }: OpenStore, source: Source): Promise<Parts> {
  const own = views ? undefined : await openViews({ log: store, projections, source })
  const used = views ?? own
  if (!used) throw new TypeError('An engine needs views.')
  const ownSearch = search ? undefined : new SearchIndex({ log: store, source })
  const usedSearch = search ?? ownSearch
  if (!usedSearch) throw new TypeError('An engine needs a search index.')
  const close = async (): Promise<void> => {
    await ownSearch?.close()
    await own?.close()
  }
  return { store, views: used, search: usedSearch, close }
}
