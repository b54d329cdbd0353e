import { expect } from 'vitest'
import {
  commandEventId,
  isKnown,
  messageEventId,
  sessionStream,
  type Actor,
  type AnyRecorded,
  type EventStore,
  type SessionEvent,
} from '@refold/events'
import { type Outcome, type RefusalCode, type Source } from '@refold/engine'
import { importFacts } from '../../packages/engine/src/importing/import-door.ts'
import { openMemoryStore } from '../../packages/engine/src/stores/memory-store.ts'
import { begin, type CommandPlace } from '../../packages/engine/src/facade/command-desk.ts'
import { makeDriver } from '../../packages/engine/src/deciding/make-driver.ts'
import { makeStates } from '../../packages/engine/src/deciding/states.ts'
import type { Desk } from '../../packages/engine/src/deciding/desk.ts'
import type { Deciding } from '../../packages/engine/src/deciding/plan.ts'
import type { CommandOptions } from '../../packages/engine/src/commands/command-options.ts'
import { testSource } from './test-source.ts'

export const NAMESPACE = 'default'
export const person: Actor = { kind: 'person', id: 'ada' }

/** A log in memory with commands over it, a clock that stands still and ids that repeat from run to run. */
export interface CommandWorld extends CommandPlace {
  readonly source: Source & { advance(ms: number): void }
  readonly store: EventStore
}

export function commandWorld(
  options: { readonly store?: EventStore; readonly source?: CommandWorld['source'] } = {},
): CommandWorld {
  const source = options.source ?? testSource()
  const store = options.store ?? openMemoryStore(source)
  return {
    source,
    store,
    driver: makeDriver(store, source, makeStates()),
    namespace: NAMESPACE,
    actor: person,
    claims: true,
  }
}

export const streamIn = (session: string): string => sessionStream({ namespace: NAMESPACE, session })

/** The session `s` as most specifications find it. */
export const started: SessionEvent = { type: 'SessionStarted', data: { session: 's', origin: { kind: 'root' } } }

export function message(id: string, role = 'user', text = `text of ${id}`): SessionEvent {
  const provenance = role === 'user' ? 'person' : role === 'tool' ? 'tool' : 'model'
  return {
    type: 'MessageAppended',
    data: { id, role, parts: [{ type: 'text', text }], provenance, shownTo: 'both' },
  }
}

interface History {
  readonly [session: string]: readonly SessionEvent[]
}

/** Given this history, when a command is decided, then these events are written, or this refusal is given and nothing. */
export function given(history: readonly SessionEvent[] | History, world: CommandWorld = commandWorld()): Given {
  const sessions: History = isList(history) ? { s: history } : history
  const ready = write(world, sessions)
  return new Given(world, ready)
}

const isList = (history: readonly SessionEvent[] | History): history is readonly SessionEvent[] =>
  Array.isArray(history)

export async function write(world: CommandWorld, history: History): Promise<void> {
  const { sha256 } = world.source
  const sessions = await Promise.all(
    Object.entries(history).map(async ([session, events]) => {
      const stream = streamIn(session)
      const from = ((await world.store.head(stream))?.revision ?? -1) + 1
      const facts = events.map((event, index) => ({
        id:
          event.type === 'MessageAppended'
            ? messageEventId(sha256, stream, event.data.id)
            : commandEventId(sha256, stream, `given ${from + index}`, 0),
        event,
      }))
      return { session, facts }
    }),
  )
  const { warnings } = await importFacts(world, { tool: 'specification', sessions })
  if (warnings.length > 0) throw new Error(`The given history is not admitted: ${JSON.stringify(warnings)}`)
}

class Given {
  readonly #world: CommandWorld
  readonly #ready: Promise<void>

  constructor(world: CommandWorld, ready: Promise<void>) {
    this.#world = world
    this.#ready = ready
  }

  when<X extends object>(decide: (desk: Desk) => Deciding<X>, options: CommandOptions = {}): When<X> {
    return new When(this.#world, this.#ready, decide, options)
  }
}

class When<X extends object> {
  readonly #world: CommandWorld
  readonly #ready: Promise<void>
  readonly #decide: (desk: Desk) => Deciding<X>
  readonly #options: CommandOptions

  constructor(world: CommandWorld, ready: Promise<void>, decide: (desk: Desk) => Deciding<X>, options: CommandOptions) {
    this.#world = world
    this.#ready = ready
    this.#decide = decide
    this.#options = options
  }

  /** Events written into sessions, as `[session, event]` or, for the session `s`, the event alone. Claims are left out. */
  async writes(events: readonly (SessionEvent | readonly [string, SessionEvent])[], answer?: object): Promise<void> {
    const { outcome, written } = await this.#run()
    expect(outcome).toMatchObject({ ok: true, ...answer })
    expect(written.map(({ stream, type, data }) => [stream, { type, data }])).toEqual(
      events.map((event) => {
        const [session, { type, data }] = 'type' in event ? ['s', event] : event
        return [streamIn(session), { type, data }]
      }),
    )
  }

  /** Events of these types and no others, into whatever sessions. */
  async writesTypes(types: readonly string[], answer?: object): Promise<void> {
    const { outcome, written } = await this.#run()
    expect(outcome).toMatchObject({ ok: true, ...answer })
    expect(written.map(({ type }) => type)).toEqual(types)
  }

  async writesNothing(answer?: object): Promise<void> {
    const { outcome, all } = await this.#run()
    expect(outcome).toMatchObject({ ok: true, events: [], ...answer })
    expect(all).toEqual([])
  }

  /** Refused with this code and these fields, and the log exactly as it was, claims included. */
  async refuses(code: RefusalCode, fields: object = {}): Promise<void> {
    const { outcome, all } = await this.#run()
    expect(outcome).toMatchObject({ ok: false, code, ...fields })
    expect(all).toEqual([])
  }

  async #run(): Promise<{
    readonly outcome: Outcome<X>
    readonly written: readonly AnyRecorded[]
    readonly all: readonly AnyRecorded[]
  }> {
    await this.#ready
    const { position } = await this.#world.store.logHead()
    const outcome = await begin(this.#world, this.#options).carryOut(this.#decide)
    const all = await this.#world.store.readAll({ after: position, limit: 10_000 })
    return { outcome, all, written: all.filter((event) => event.stream.startsWith('session-')).filter(isKnown) }
  }
}

/** Carries a command out and gives its outcome. */
export function outcomeOf<X extends object>(
  world: CommandWorld,
  decide: (desk: Desk) => Deciding<X>,
  options: CommandOptions = {},
): Promise<Outcome<X>> {
  return begin(world, options).carryOut(decide)
}

/** All events of the log, to compare before and after. */
export function wholeLog(world: CommandWorld): Promise<readonly AnyRecorded[]> {
  return world.store.readAll({ limit: 100_000 })
}
