import { join } from 'node:path'
import { openEngine, openSqliteStore, openViews, systemSource, type Engine } from '@refold/engine'
import { projections } from '@refold/projections'
import { fill } from './history.ts'
import { atMost, under, type Line } from './line.ts'
import { pairs, seconds } from './measure.ts'

const MANY = 20_000
const FEW = 1_000
const PAGES = 20

/** The first page of the session list, and a page in the midst of it. */
export async function measureLists(folder: string): Promise<readonly Line[]> {
  const many = await engineWith(folder, MANY)
  const few = await engineWith(folder, FEW)
  const lines: Line[] = []
  for (const sort of ['activity', 'start', 'title'] as const) {
    const list = (engine: Engine) => (): Promise<number> =>
      seconds(async () => {
        for (let n = 0; n < PAGES; n++) await engine.list({ sort, limit: 50 })
      })
    const pair = await pairs(5, list(many.engine), list(few.engine))
    lines.push(atMost(`first page by ${sort}, ${MANY} sessions / ${FEW}`, pair, 1.5))
    lines.push(under(`first page by ${sort} of ${MANY} sessions`, (pair.ours / PAGES) * 1_000, 10, 'ms'))
  }
  await many.close()
  await few.close()
  return lines
}

async function engineWith(
  folder: string,
  sessions: number,
): Promise<{ readonly engine: Engine; readonly close: () => Promise<void> }> {
  const store = await openSqliteStore({ file: join(folder, `list-${sessions}.db`), durability: 'system' })
  await fill(store, { sessions, messages: sessions * 2, seed: 11 })
  const views = await openViews({
    log: store,
    projections,
    source: systemSource,
    file: join(folder, `list-${sessions}.views.db`),
  })
  await views.catchUp()
  const engine = await openEngine({ store, views })
  return {
    engine,
    close: async () => {
      await engine.close()
      await views.close()
      await store.close()
    },
  }
}
