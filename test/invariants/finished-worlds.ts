import * as fc from 'fast-check'
import { afterAll, beforeAll } from 'vitest'
import {
  isKnown,
  parseSessionStream,
  type AnyRecorded,
  type EventType,
  type EventOf,
  type Recorded,
} from '@refold/events'
import type { SessionHandle } from '@refold/engine'
import { sure } from '../support/facade-world.ts'
import type { Namespace, World } from '../worlds/model/world.ts'
import type { Session } from '../worlds/model/session.ts'
import type { Stage } from '../worlds/stage.ts'
import { lead, worlds } from '../worlds/worlds.ts'

/** A world after its last step: what happened to it is what each invariant is asked about. */
export interface FinishedWorld {
  readonly world: World
  readonly stage: Stage
  readonly log: readonly AnyRecorded[]
}

/** One living session of one namespace, with its own handle. */
export interface LivingSession extends FinishedWorld {
  readonly namespace: Namespace
  readonly index: number
  readonly session: Session
  readonly handle: SessionHandle
  /** Its own stream. */
  readonly events: readonly Recorded[]
}

const COUNT = 10
const COMMANDS = 90
/** Every so many worlds one is lived in SQLite, with its views in a file; both must keep the same promises. */
const STORED = 4

/** Worlds of one seed, lived once for all tests of a file. */
export function finishedWorlds(
  seed: number,
  count = COUNT,
): {
  readonly each: (ask: (one: FinishedWorld) => Promise<void>) => Promise<void>
} {
  const finished: FinishedWorld[] = []
  beforeAll(async () => {
    for (const [n, commands] of fc.sample(worlds(COMMANDS), { seed, numRuns: count }).entries()) {
      const { world, stage } = await lead(n % STORED === STORED - 1 ? 'sqlite' : 'memory', commands)
      stage.store.crashNext('never')
      finished.push({ world, stage, log: await stage.store.readAll({ limit: 100_000 }) })
    }
  })
  afterAll(async () => {
    for (const { stage } of finished) await stage.close()
  })
  return {
    async each(ask) {
      for (const one of finished) await ask(one)
    },
  }
}

/** Asks about every session that is not deleted. */
export async function eachSession(one: FinishedWorld, ask: (session: LivingSession) => Promise<void>): Promise<void> {
  const { world, stage, log } = one
  for (const [index, namespace] of world.namespaces.entries())
    for (const session of namespace.sessions.values()) {
      if (session.deleted) continue
      const { handle } = sure(await stage.engine(index, 0).session(session.id))
      const isOwn = ({ stream }: AnyRecorded): boolean => {
        const address = parseSessionStream(stream)
        return address?.namespace === namespace.name && address.session === session.id
      }
      await ask({ ...one, namespace, index, session, handle, events: log.filter(isOwn).filter(isKnown) })
    }
}

/** The events of one type. */
export function ofType<T extends EventType>(events: readonly AnyRecorded[], type: T): readonly Recorded<EventOf<T>>[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type was compared just now
  return events.filter((event) => isKnown(event) && event.type === type) as unknown as readonly Recorded<EventOf<T>>[]
}
