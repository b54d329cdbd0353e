import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine, openMemoryStore, openSqliteStore, viewsFileOf, type Engine, type Outcome } from '@refold/engine'
import type { EventStore } from '@refold/events'
import { testSource } from '../support/test-source.ts'
import { crashing, Killed, type CrashingStore } from './crashing-store.ts'
import type { Reading } from './model/rules/compact.ts'

export type StoreKind = 'memory' | 'sqlite'

/** A call that was made, to be made again. */
export interface Call {
  readonly name: string
  readonly key: string
  readonly act: (engine: Engine, key: string) => Promise<Outcome>
  readonly namespace: number
  readonly outcome: Outcome
}

/** The real thing: one log, two namespaces, and in each two engines that do not know of each other. */
export class Stage {
  readonly source: ReturnType<typeof testSource> = testSource()
  readonly kind: StoreKind
  readonly calls: Call[] = []
  /** What somebody has read and not yet compacted. */
  readonly readings: { readonly namespace: number; readonly reading: Reading }[] = []
  #folder: string | null = null
  #store: CrashingStore | null = null
  #engines: readonly (readonly [Engine, Engine])[] = []
  #key = 0

  readonly #over: (store: EventStore) => EventStore

  private constructor(kind: StoreKind, over: (store: EventStore) => EventStore) {
    this.kind = kind
    this.#over = over
  }

  /** `over`: what the first engine of each namespace, in memory both, sees of the store. */
  static async open(kind: StoreKind, over: (store: EventStore) => EventStore = (store) => store): Promise<Stage> {
    const stage = new Stage(kind, over)
    await stage.#openEngines()
    return stage
  }

  get store(): CrashingStore {
    if (!this.#store) throw new Error('The stage is closed.')
    return this.#store
  }

  engine(namespace: number, writer: number): Engine {
    const engine = this.#engines[namespace % 2]?.[writer % 2]
    if (!engine) throw new Error('The stage is closed.')
    return engine
  }

  /** Makes a call; where the process dies under it, opens everything anew and makes the same call again. */
  async call<A extends object>(
    place: { readonly name: string; readonly namespace: number; readonly writer: number },
    act: (engine: Engine, key: string) => Promise<Outcome<A>>,
  ): Promise<Outcome<A>> {
    this.#key += 1
    const key = `key ${this.#key}`
    const outcome = await this.#survive(place, (engine) => act(engine, key))
    this.calls.push({ name: place.name, key, act, namespace: place.namespace, outcome })
    return outcome
  }

  /** Makes a call once more, under its own key, perhaps by the other engine. */
  again({ act, key, namespace }: Call, writer: number): Promise<Outcome> {
    return this.#survive({ namespace, writer }, (engine) => act(engine, key))
  }

  async #survive<A extends object>(
    { namespace, writer }: { readonly namespace: number; readonly writer: number },
    act: (engine: Engine) => Promise<Outcome<A>>,
  ): Promise<Outcome<A>> {
    try {
      return await act(this.engine(namespace, writer))
    } catch (problem) {
      if (!(problem instanceof Killed)) throw problem
      await this.reopen()
      return act(this.engine(namespace, writer))
    }
  }

  /** Ends every engine and begins anew over the same log. `withoutViews`: what was folded is lost. */
  async reopen({ withoutViews = false }: { readonly withoutViews?: boolean } = {}): Promise<void> {
    await this.#closeEngines()
    if (withoutViews && this.#folder !== null) await rm(viewsFileOf(join(this.#folder, 'log.db')), { force: true })
    await this.#openEngines()
  }

  async close(): Promise<void> {
    await this.#closeEngines()
    if (this.kind === 'memory') await this.#store?.close()
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true })
  }

  async #openEngines(): Promise<void> {
    const { source } = this
    if (this.kind === 'memory') {
      this.#store ??= crashing(this.#over(openMemoryStore(source)))
      const store = this.#store
      const pair = async (namespace: string): Promise<readonly [Engine, Engine]> => [
        await openEngine({ store, source, namespace }),
        await openEngine({ store, source, namespace }),
      ]
      this.#engines = [await pair('default'), await pair('another.one')]
      return
    }
    this.#folder ??= await mkdtemp(join(tmpdir(), 'refold-world-'))
    const file = join(this.#folder, 'log.db')
    const store = crashing(this.#over(await openSqliteStore({ file, source, durability: 'system' })))
    this.#store = store
    const pair = async (namespace: string): Promise<readonly [Engine, Engine]> => [
      await openEngine({ store, source, namespace }),
      await openEngine({ file, source, namespace, durability: 'system' }),
    ]
    this.#engines = [await pair('default'), await pair('another.one')]
  }

  async #closeEngines(): Promise<void> {
    for (const engine of this.#engines.flat()) await engine.close()
    this.#engines = []
    if (this.kind === 'sqlite') await this.#store?.close()
  }
}
