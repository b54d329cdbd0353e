import { setTimeout as wait } from 'node:timers/promises'
import {
  commandEventId,
  encodeEvent,
  RefoldError,
  type Actor,
  type AnyRecorded,
  type Append,
  type Appended,
  type EventStore,
  type NewEvent,
} from '@refold/events'
import type { Outcome } from '../outcome.ts'
import { refuse, type Refusal } from '../refusal.ts'
import type { Source } from '../source.ts'
import type { Desk } from './desk.ts'
import type { Deciding, Plan } from './plan.ts'
import { runAsync, runSync } from './run.ts'
import type { States } from './states.ts'

/** Tries against a store without transactions before `contended`; each waits a random while, twice as long as before. */
const TRIES = 12
const FIRST_WAIT_MS = 2
const LONGEST_WAIT_MS = 250

/** Carries commands out: reads, decides and appends, in one transaction where the store has them. */
export interface Driver {
  readonly store: EventStore
  readonly states: States
  readonly source: Source
  /** A key for a command that has none. */
  readonly newKey: () => string
}

/** Everything about one command but its text. */
export interface Commission {
  readonly namespace: string
  readonly actor: Actor
  readonly key: string
  /** The caller gave the key: the events name it as their cause. */
  readonly keyIsGiven: boolean
  readonly expect?: number
  readonly claims: boolean
  readonly correlationId?: string
  readonly causationId?: string
}

/** Decides and writes. The decision may be made several times, each on what the log holds at that time. */
export async function carryOut<X extends object>(
  driver: Driver,
  commission: Commission,
  decide: (desk: Desk) => Deciding<X>,
): Promise<Outcome<X>> {
  const { store } = driver
  const outcome = store.transact
    ? await store.transact(
        (log) => {
          const desk = deskFor(driver, commission)
          const plan = runSync(decide(desk), log, driver.states)
          if (!plan.ok || isNothing(plan)) return outcomeWithout(store, plan)
          return outcomeOf(driver, commission, plan, log.append(toAppend(driver, desk, commission, plan)))
        },
        { failsLate: false },
      )
    : await decideUntilTaken(driver, commission, decide)
  saveSnapshots(driver.states)
  return outcome
}

/** A snapshot only saves the next process time: the command is done, whatever becomes of it. */
function saveSnapshots(states: States): void {
  try {
    states.saveSnapshots()
  } catch {
    states.forgetSnapshots()
  }
}

async function decideUntilTaken<X extends object>(
  driver: Driver,
  commission: Commission,
  decide: (desk: Desk) => Deciding<X>,
): Promise<Outcome<X>> {
  const { store, source } = driver
  let stream = ''
  for (let tried = 0; tried < TRIES; tried += 1) {
    const desk = deskFor(driver, commission)
    const plan = await runAsync(decide(desk), store, driver.states)
    if (!plan.ok || isNothing(plan)) return outcomeWithout(store, plan)
    const appended = await store.append(toAppend(driver, desk, commission, plan))
    if (appended.ok || appended.code !== 'wrong-revision') return outcomeOf(driver, commission, plan, appended)
    stream = appended.stream
    const [random = 0] = source.random(1)
    await wait((Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tried) * random) / 255)
  }
  throw new RefoldError('contended', { stream, tries: TRIES })
}

const deskFor = (
  { store, source }: Driver,
  { namespace, actor, key, keyIsGiven, expect, claims, causationId }: Commission,
): Desk => ({
  namespace,
  actor,
  key,
  keyIsGiven,
  ...causeOf(causationId ?? (keyIsGiven ? key : undefined)),
  now: source.now(),
  sha256: source.sha256,
  secret: store.secret,
  claims,
  ...(expect === undefined ? {} : { expect }),
})

const causeOf = (cause: string | undefined): Pick<Desk, 'cause'> => (cause === undefined ? {} : { cause })

const isNothing = (plan: Plan<object>): boolean =>
  plan.first !== undefined || plan.appends.every((append) => append.events.length === 0)

function outcomeWithout<X extends object>({ capabilities }: EventStore, plan: Plan<X> | Refusal): Outcome<X> {
  if (!plan.ok) return plan
  const { session, revision, answer, first } = plan
  return {
    ok: true,
    session,
    revision: first?.revision ?? revision,
    events: first?.events ?? [],
    repeated: first !== undefined,
    durability: capabilities.durability,
    ...answer,
  }
}

function toAppend(
  { source }: Driver,
  { now, cause }: Desk,
  { key, actor, correlationId }: Commission,
  { appends, blobs }: Plan<object>,
): Append {
  const streams = appends
    .filter(({ events }) => events.length > 0)
    .map(({ stream, expected, events }) => {
      let index = 0
      const written = events.map(({ event, id, encoded }): NewEvent => {
        const { type, version, payload } = encoded ?? encodeEvent(event)
        const eventId = id ?? commandEventId(source.sha256, stream, key, index++)
        const said = { type, version, payload, id: eventId, recordedAt: now, actor }
        if (correlationId === undefined && cause === undefined) return said
        return {
          ...said,
          ...(correlationId !== undefined && { correlationId }),
          ...(cause !== undefined && { causationId: cause }),
        }
      })
      return { stream, expected, events: written }
    })
  return { streams, ...(blobs && blobs.length > 0 ? { blobs } : {}) }
}

function outcomeOf<X extends object>(
  { states }: Driver,
  { key }: Commission,
  plan: Plan<X>,
  appended: Appended,
): Outcome<X> {
  if (!appended.ok) {
    if (appended.code === 'duplicate-event-id')
      return refuse('key-reused', { session: plan.session, key, found: appended.eventId })
    throw new RefoldError('contended', { stream: appended.stream, tries: 1 })
  }
  states.follow(appended.events)
  const own = appended.events.filter((event: AnyRecorded) => event.stream === plan.stream)
  return {
    ok: true,
    session: plan.session,
    revision: own.at(-1)?.revision ?? plan.revision,
    events: own.map((event) => event.type),
    repeated: appended.repeated,
    durability: appended.durability,
    ...plan.answer,
  }
}
