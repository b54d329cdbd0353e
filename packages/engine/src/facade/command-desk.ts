import type { Actor } from '@refold/events'
import type { CommandOptions } from '../commands/command-options.ts'
import { checkNamed } from '../content/check-named.ts'
import { Shelf } from '../content/shelf.ts'
import type { Desk } from '../deciding/desk.ts'
import { carryOut, type Commission, type Driver } from '../deciding/driver.ts'
import type { Deciding } from '../deciding/plan.ts'
import type { Outcome } from '../outcome.ts'

/** Who and where: what all commands of one engine share. */
export interface CommandPlace {
  readonly driver: Driver
  readonly namespace: string
  readonly actor: Actor
  /** False for a private session. */
  readonly claims: boolean
  /** Lets one command pass after the other. Absent: they may overlap. */
  readonly inTurn?: InTurn
}

/** Runs the work when all that was given before is done. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** One command under way. */
export interface Task {
  readonly key: string
  /** Takes its large texts; what lies on it goes into the command's append. */
  readonly shelf: Shelf
  carryOut<X extends object>(decide: (desk: Desk) => Deciding<X>): Promise<Outcome<X>>
}

/**
 * Begins a command with a caller's options; a key that is not given is random. What the place is when the command's turn
 * comes counts: a private session may have been promoted meanwhile.
 */
export function begin(place: CommandPlace, options: CommandOptions): Task {
  const { expect, correlationId, causationId } = options
  const key = options.key ?? place.driver.newKey()
  const commission = (): Commission => ({
    namespace: place.namespace,
    claims: place.claims,
    key,
    actor: options.actor ?? place.actor,
    keyIsGiven: options.key !== undefined,
    ...(expect === undefined ? {} : { expect }),
    ...(correlationId === undefined ? {} : { correlationId }),
    ...(causationId === undefined ? {} : { causationId }),
  })
  const shelf = new Shelf(place.driver.source.sha256)
  return {
    key,
    shelf,
    carryOut<X extends object>(decide: (desk: Desk) => Deciding<X>): Promise<Outcome<X>> {
      const work = async (): Promise<Outcome<X>> => {
        const named = shelf.named()
        if (named.length > 0) await checkNamed(place.driver.store, named)
        return carryOut(place.driver, commission(), decide)
      }
      return place.inTurn ? place.inTurn(work) : work()
    },
  }
}
