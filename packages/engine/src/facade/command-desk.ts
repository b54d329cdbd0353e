import type { Actor } from '@refold/events'
import type { CommandOptions } from '../commands/command-options.ts'
import { Shelf } from '../content/shelf.ts'
import type { Desk } from '../deciding/desk.ts'
import { carryOut, type Driver } from '../deciding/driver.ts'
import type { Deciding } from '../deciding/plan.ts'
import type { Outcome } from '../outcome.ts'

/** Who and where: what all commands of one engine share. */
export interface CommandPlace {
  readonly driver: Driver
  readonly namespace: string
  readonly actor: Actor
  /** False for a private session. */
  readonly claims: boolean
}

/** One command under way. */
export interface Task {
  readonly key: string
  /** Takes its large texts; what lies on it goes into the command's append. */
  readonly shelf: Shelf
  carryOut<X extends object>(decide: (desk: Desk) => Deciding<X>): Promise<Outcome<X>>
}

/** Begins a command with a caller's options; a key that is not given is random. */
export function begin({ driver, namespace, actor, claims }: CommandPlace, options: CommandOptions): Task {
  const { expect, correlationId, causationId } = options
  const key = options.key ?? driver.newKey()
  const commission = {
    namespace,
    claims,
    key,
    actor: options.actor ?? actor,
    keyIsGiven: options.key !== undefined,
    ...(expect === undefined ? {} : { expect }),
    ...(correlationId === undefined ? {} : { correlationId }),
    ...(causationId === undefined ? {} : { causationId }),
  }
  return {
    key,
    shelf: new Shelf(driver.source.sha256),
    carryOut: (decide) => carryOut(driver, commission, decide),
  }
}
