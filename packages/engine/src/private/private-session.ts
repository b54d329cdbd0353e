import {
  isKnown,
  isSessionStream,
  parseSessionStream,
  type AnyRecorded,
  type EventStore,
  type SessionEvent,
} from '@refold/events'
import { projections } from '@refold/projections'
import type { StartInput } from '../commands/start.ts'
import { blobsIn } from '../content/blobs-in.ts'
import { said } from '../content/said.ts'
import { makeDriver } from '../deciding/make-driver.ts'
import { makeStates } from '../deciding/states.ts'
import { begin, type InTurn } from '../facade/command-desk.ts'
import type { EngineParts } from '../facade/engine-parts.ts'
import { sessionById } from '../facade/resolve.ts'
import { Session, type SessionPlace } from '../facade/session.ts'
import type { PrivateSession } from '../facade/session-handle.ts'
import { admitFacts } from '../importing/admit-facts.ts'
import type { ImportedSession } from '../importing/import-facts.ts'
import type { Outcome } from '../outcome.ts'
import { ReadingSide } from '../reading/reading-side.ts'
import { refuse } from '../refusal.ts'
import { openMemoryStore } from '../stores/memory-store.ts'
import { start } from '../commands/start.ts'
import { openViews } from '../views/open-views.ts'
import { PrivateStore } from './private-store.ts'

/**
 * Starts a session in memory over the engine's log. Its names are claimed when it is promoted, not before. Refuses
 * (`not-private`) one that would have to be told to a session of the log.
 */
export async function openPrivateSession(
  engine: EngineParts,
  { systemPrompt, ...input }: StartInput,
): Promise<Outcome<{ readonly handle: PrivateSession }>> {
  const { source } = engine.driver
  const other = input.resetOf ?? input.delegateOf
  if (other !== undefined) return refuse('not-private', { session: other })
  if (input.id !== undefined && (await sessionById(engine, input.id)))
    return refuse('id-taken', { id: input.id, holder: input.id })
  const store = new PrivateStore(openMemoryStore(source), engine.driver.store)
  const views = await openViews({ log: store, projections, source })
  const { namespace, actor } = engine
  const place: SessionPlace = {
    driver: makeDriver(store, source, makeStates()),
    reading: new ReadingSide({ store, views, namespace, source }),
    namespace,
    actor,
    claims: false,
    inTurn: makeQueue(),
  }
  const task = begin(place, input)
  const prompt = systemPrompt === undefined ? {} : { systemPrompt: task.shelf.text(systemPrompt) }
  const outcome = await task.carryOut((desk) => start(desk, { ...input, ...prompt, blobs: task.shelf.blobs() }))
  if (!outcome.ok) return outcome
  return { ...outcome, handle: new PrivateHandle(place, engine, outcome.session, outcome.revision) }
}

function makeQueue(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work)
    last = next.catch(() => undefined) // told to whoever gave the work
    return next
  }
}

class PrivateHandle extends Session implements PrivateSession {
  readonly #engine: EngineParts
  readonly #store: EventStore
  readonly #place: { -readonly [K in keyof SessionPlace]: SessionPlace[K] }

  constructor(place: SessionPlace, engine: EngineParts, session: string, revision: number) {
    const mutable = { ...place }
    super(mutable, session, revision)
    this.#engine = engine
    this.#store = place.driver.store
    this.#place = mutable
  }

  /** Takes its turn among the commands: those given before are promoted along, those given after are written to the log. */
  promote(): Promise<Outcome> {
    const { inTurn } = this.#place
    return inTurn ? inTurn(() => this.#promote()) : this.#promote()
  }

  async #promote(): Promise<Outcome> {
    const sessions = await ownSessions(this.#store)
    const blobs = await blobsIn(this.#store, sessions)
    const outcome = await begin(this.#engine, {}).carryOut((desk) =>
      admitFacts(desk, { sessions, blobs, allOrNone: true }),
    )
    if (!outcome.ok) return outcome
    const { namespace, actor, claims, driver, reading } = this.#engine
    Object.assign(this.#place, { namespace, actor, claims, driver, reading })
    delete this.#place.inTurn
    const events = sessions.find(({ session }) => session === this.id)?.facts.map(({ event }) => event.type) ?? []
    const { durability, repeated } = outcome
    return { ok: true, session: this.id, revision: events.length - 1, events, repeated, durability }
  }
}

/** Everything written here, as facts that keep their ids; messages keep the time at which they were said. */
async function ownSessions(store: EventStore): Promise<readonly ImportedSession[]> {
  const sessions = new Map<string, AnyRecorded[]>()
  const all = await store.readAll({ limit: Infinity })
  for (const event of all.filter(({ stream }) => isSessionStream(stream))) {
    const session = parseSessionStream(event.stream)?.session ?? ''
    const events = sessions.get(session) ?? []
    events.push(event)
    sessions.set(session, events)
  }
  return [...sessions].map(([session, events]) => ({
    session,
    facts: events.filter(isKnown).map((event) => ({ id: event.id, event: withItsTime(said(event), event.recordedAt) })),
  }))
}

const withItsTime = (event: SessionEvent, recordedAt: number): SessionEvent =>
  event.type === 'MessageAppended' ? { type: event.type, data: { at: recordedAt, ...event.data } } : event
