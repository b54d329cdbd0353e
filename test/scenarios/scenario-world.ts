import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine, openSqliteStore, type Engine, type OpenFile } from '@refold/engine'
import { testSource } from '../support/test-source.ts'
import { breakable, type BreakableStore } from './breakable-store.ts'

/** A store file in a folder of its own, and whoever works on it. Clock and randomness are the world's. */
export interface ScenarioWorld {
  readonly folder: string
  readonly file: string
  /** `now()` moves only by `advance(ms)`, which may be negative. */
  readonly source: ReturnType<typeof testSource>
  /** The first writer's engine; after `restart` the new one. */
  readonly first: Engine
  /** Another engine on the same file: W2, another process's surface, a reader. */
  engine(options?: Partial<OpenFile>): Promise<Engine>
  /** Another engine, whose next commit can be made to fail. */
  breakableEngine(): Promise<{ readonly engine: Engine; readonly store: BreakableStore }>
  /** Closes every engine and opens the file anew. */
  restart(): Promise<Engine>
  /** One clause of *Expected*, word for word, and what shows that it holds. */
  clause(text: string, check: () => void | Promise<void>): Promise<void>
}

export async function openWorld(): Promise<ScenarioWorld & { close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'refold-scenario-'))
  const file = join(folder, 'agent.db')
  const source = testSource()
  const open: { close(): Promise<void> }[] = []
  const opened = async (options: Partial<OpenFile> = {}): Promise<Engine> => {
    const engine = await openEngine({ file, source, durability: 'system', ...options })
    open.push(engine)
    return engine
  }
  const closeAll = async (): Promise<void> => {
    for (const one of open.splice(0).reverse()) await one.close()
  }
  let first = await opened()
  return {
    folder,
    file,
    source,
    get first() {
      return first
    },
    engine: opened,
    async breakableEngine() {
      const inner = await openSqliteStore({ file, source, durability: 'system' })
      open.push(inner)
      const store = breakable(inner)
      const engine = await openEngine({ store, source })
      open.push(engine)
      return { engine, store }
    },
    async restart() {
      await closeAll()
      first = await opened()
      return first
    },
    async clause(text, check) {
      try {
        await check()
      } catch (problem) {
        if (problem instanceof Error) problem.message = `${text} — ${problem.message}`
        throw problem
      }
    },
    async close() {
      await closeAll()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
