import * as fc from 'fast-check'
import type { Session } from './model/session.ts'
import type { Namespace, World } from './model/world.ts'
import { pick, WorldCommand, type Place, type Where } from './world-command.ts'

const where: fc.Arbitrary<Where> = fc.record({
  namespace: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
  writer: fc.nat(1),
})

/** Commands of one kind: choices, and what they mean in the world at hand. */
export function commands<C extends object>(
  name: string,
  choices: fc.Arbitrary<C>,
  run: (choices: C, place: Place) => Promise<string>,
): fc.Arbitrary<WorldCommand> {
  return fc
    .tuple(choices, where)
    .map(([chosen, at]) => new WorldCommand(name, chosen, at, (place) => run(chosen, place)))
}

/** Any session, deleted ones too; now and then one that is not there. */
export function someSession(namespace: Namespace, choice: number): Session | undefined {
  return pick([...namespace.sessions.values()], choice)
}

/** Any id that a session ever had, so that late writers come by an old one. */
export function nameOf(session: Session, choice: number): string {
  return pick(session.segments, choice) ?? session.id
}

/** An id that is not yet taken, seldom one that is. */
export function newId(namespace: Namespace, prefix: string, choice: number): string {
  const taken = choice % 12 === 11 ? pick([...namespace.ids.keys()], choice) : undefined
  return taken ?? `${prefix}${namespace.ids.size}`
}

/** Message ids are the world's own count, so that no two new ones meet by chance. */
export function newMessageId(world: World, place = 0): string {
  return `m${world.step}${place === 0 ? '' : `-${place}`}`
}

export const choice: fc.Arbitrary<number> = fc.nat(30)
