import { openEngine, openSqliteStore, openViews, viewsFileOf, type Engine, type Views } from '@refold/engine'
import { projections, type RowReaders, type Tables } from '@refold/projections'
import type { ScenarioWorld } from './scenario-world.ts'
import { watched, type WatchedStore } from './watched-store.ts'

export interface WatchedEngine extends WatchedStore {
  readonly engine: Engine
  /** Rows of stored views that were looked at so far. */
  readonly rows: { read: number }
  readonly close: () => Promise<void>
}

/** An engine on the world's file whose disk can be made to fail, and which counts what it reads: costs without a clock. */
export async function watchedEngine({ file, source }: ScenarioWorld): Promise<WatchedEngine> {
  const inner = await openSqliteStore({ file, source, durability: 'system' })
  const watching = watched(inner)
  const stored = await openViews({ log: watching.store, projections, source, file: viewsFileOf(file) })
  const rows = { read: 0 }
  const engine = await openEngine({ store: watching.store, views: countingViews(stored, rows), source })
  return {
    ...watching,
    engine,
    rows,
    close: async () => {
      await engine.close()
      await stored.close()
      await inner.close()
    },
  }
}

function countingViews(views: Views<Tables>, rows: { read: number }): Views<Tables> {
  return {
    read: (work, upTo) => views.read((readers, checkpoint) => work(counting(readers, rows), checkpoint), upTo),
    catchUp: (upTo) => views.catchUp(upTo),
    rebuild: (options) => views.rebuild(options),
    scrub: () => views.scrub(),
    snapshots: views.snapshots,
    close: () => views.close(),
  }
}

function counting(readers: RowReaders<Tables>, rows: { read: number }): RowReaders<Tables> {
  const counted = <T extends object>(table: T): T =>
    new Proxy(table, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return (...given: readonly unknown[]): unknown => {
          const answer: unknown = Reflect.apply(value, target, given)
          rows.read += Array.isArray(answer) ? answer.length : 1
          return answer
        }
      },
    })
  return new Proxy(readers, {
    get(target, name) {
      const table: unknown = Reflect.get(target, name, target)
      return typeof table === 'object' && table !== null ? counted(table) : table
    },
  })
}
