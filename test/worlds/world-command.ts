import { isDeepStrictEqual } from 'node:util'
import type * as fc from 'fast-check'
import { sessionStream } from '@refold/events'
import type { Engine, Outcome, RefusalCode } from '@refold/engine'
import { compareSession, compareWorld } from './compare.ts'
import { met } from './coverage.ts'
import type { Namespace, Verdict, World } from './model/world.ts'
import type { Stage } from './stage.ts'

export interface Place {
  readonly world: World
  readonly namespace: Namespace
  readonly index: number
  readonly stage: Stage
  readonly writer: number
}

/** Which of two namespaces, and which of two engines, a command goes through; small numbers shrink to the first. */
export interface Where {
  readonly namespace: number
  readonly writer: number
}

/** How often all reads are compared, not only those of the session that a command was about. */
const FULL_EVERY = 7

export type Run = (place: Place) => Promise<string>

/** A step of a world: the model says what will happen, the engine does it, and the reads are compared. */
export class WorldCommand implements fc.AsyncCommand<World, Stage> {
  readonly #name: string
  readonly #choices: object
  readonly #where: Where
  readonly #run: Run

  constructor(name: string, choices: object, where: Where, run: Run) {
    this.#name = name
    this.#choices = choices
    this.#where = where
    this.#run = run
  }

  check(): boolean {
    return true
  }

  async run(world: World, stage: Stage): Promise<void> {
    world.step += 1
    const index = this.#where.namespace % 2
    const namespace = world.namespaces[index === 0 ? 0 : 1]
    const place = { world, namespace, index, stage, writer: this.#where.writer }
    const outcome = await this.#run(place)
    met(this.#name, outcome)
    if (world.step % FULL_EVERY === 0) await compareWorld(world, stage)
  }

  toString(): string {
    const { namespace, writer } = this.#where
    return `${this.#name}(${JSON.stringify(this.#choices)}${namespace === 0 && writer === 0 ? '' : ` @${namespace}.${writer}`})`
  }
}

/**
 * Makes a call and holds its outcome against the verdict: the code, the fields, and that nothing is written where nothing
 * should be. Then the session is read and compared. Answers the outcome's code. `alsoRefused`: refusals that only the engine
 * can know of.
 */
export async function carryOut<A extends object>(
  place: Place,
  name: string,
  session: string,
  verdict: Verdict<A>,
  act: (engine: Engine, key: string) => Promise<Outcome<A>>,
  alsoRefused: readonly RefusalCode[] = [],
): Promise<string> {
  const { stage, index, writer } = place
  const { position } = await stage.store.logHead()
  const outcome = await stage.call({ name, namespace: index, writer }, act)
  const code = outcome.ok ? 'ok' : outcome.code
  const told = `${name} of ${session}`
  const isLeftOpen = verdict.code === 'ok' && !outcome.ok && alsoRefused.includes(outcome.code)
  if (code !== verdict.code && !isLeftOpen)
    throw new Error(`${told}: ${code} where ${verdict.code} was foretold: ${JSON.stringify(outcome)}`)
  const isNothing = !outcome.ok || verdict.code !== 'ok' || verdict.nothing === true
  const after = await stage.store.logHead()
  if (isNothing !== (after.position === position))
    throw new Error(`${told}: ${isNothing ? 'something' : 'nothing'} was written: ${JSON.stringify(outcome)}`)
  if (verdict.code === 'ok' && outcome.ok) {
    for (const [field, value] of Object.entries(verdict.answer ?? {}))
      if (!isAsTold(value, Reflect.get(outcome, field)))
        throw new Error(`${told}: ${field} of ${JSON.stringify(outcome)} is not ${JSON.stringify(value)}`)
    const head = await stage.store.head(sessionStream({ namespace: place.namespace.name, session: outcome.session }))
    if (!outcome.repeated && head && head.revision !== outcome.revision)
      throw new Error(`${told}: the session is at ${head.revision}, not at ${outcome.revision}`)
    verdict.apply(outcome)
  }
  await compareSession(place, session)
  return isNothing && code === 'ok' ? 'nothing to do' : code
}

function isAsTold(told: unknown, found: unknown): boolean {
  if (typeof told === 'object' && told !== null && 'sameMembers' in told)
    return (
      Array.isArray(told.sameMembers) &&
      Array.isArray(found) &&
      isDeepStrictEqual(new Set(told.sameMembers), new Set(found))
    )
  return isDeepStrictEqual(told, found)
}

/** The one that a number stands for, among those there are. */
export function pick<T>(from: readonly T[], choice: number): T | undefined {
  return from.length === 0 ? undefined : from[choice % from.length]
}

/** Newest first, so that a shrunk choice means what was last done. */
export const newest = <T>(from: Iterable<T>): readonly T[] => [...from].toReversed()
