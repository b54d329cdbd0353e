import type { EndClass } from '@refold/events'
import { streamOf, type Desk } from '../deciding/desk.ts'
import type { Deciding, StreamPlan } from '../deciding/plan.ts'
import { read, type Reading } from '../deciding/reading.ts'
import { decideOn, firstEvents, nothing } from '../deciding/session-command.ts'
import type { SessionState } from '../deciding/session-state.ts'
import type { CommandOptions } from './command-options.ts'

export interface EndInput extends CommandOptions {
  readonly reason: string
  /** Absent: deliberate. */
  readonly class?: EndClass
  readonly at?: number
}

export interface EndAnswer {
  /** The end that stands now: the first deliberate one wins. */
  readonly reason: string
  readonly class: EndClass
  /** Delegates that ended with it. */
  readonly delegates: readonly string[]
}

/** Ends a session. The first deliberate end wins; an accident is only noted, and a peer's reset outranks it. */
export function end(desk: Desk, session: string, input: EndInput): Deciding<EndAnswer> {
  const wanted = input.class ?? 'deliberate'
  return decideOn(desk, session, {
    name: 'end',
    writes: ['Ended'],
    *lookAndDecide(state) {
      if (!endsAnew(state, wanted)) return nothing(standing(state, input, []))
      const after = wanted === 'accident' ? [] : yield* endDelegates(desk, state, wanted)
      const { reason, at } = input
      const delegates = after.map((plan) => plan.session)
      return {
        events: [{ type: 'Ended', data: { reason, class: wanted, ...(at === undefined ? {} : { at }) } }],
        after,
        answer: { reason, class: wanted, delegates },
      }
    },
    *again([first], state) {
      const delegates = yield* endedWith(desk, state)
      if (first?.type !== 'Ended') return standing(state, input, delegates)
      return { reason: first.data.reason, class: first.data.class, delegates }
    },
  })
}

/** Over a live session any end counts, over an accident any other, over a deliberate one or a reset none. */
export function endsAnew({ end }: SessionState, wanted: EndClass): boolean {
  return end === null || (end.class === 'accident' && wanted !== 'accident')
}

const standing = ({ end }: SessionState, input: EndInput, delegates: readonly string[]): EndAnswer => ({
  reason: end?.reason ?? input.reason,
  class: end?.class ?? input.class ?? 'deliberate',
  delegates,
})

/** Ends for the open delegates of a session that ends, theirs included. Takes no session twice, so circles are safe. */
export function* endDelegates(
  desk: Desk,
  parent: SessionState,
  cls: EndClass,
  /** A session that is not to be touched, though it may work for one of them in a circle. */
  spared: string | null = null,
): Reading<readonly (StreamPlan & { readonly session: string })[]> {
  const plans: (StreamPlan & { readonly session: string })[] = []
  const seen = new Set([parent.session, spared])
  const waiting = [parent]
  for (let state = waiting.pop(); state; state = waiting.pop()) {
    for (const [delegate, status] of state.delegates) {
      if (seen.has(delegate) || status !== 'open') continue
      seen.add(delegate)
      const stream = streamOf(desk, delegate)
      const child = yield* read.session(stream)
      if (child.origin?.kind !== 'delegate' || child.deleted || !endsAnew(child, cls)) continue
      waiting.push(child)
      const event = { type: 'Ended', data: { reason: 'parent-ended', class: cls } } as const
      plans.push({ session: delegate, stream, expected: child.revision, events: [{ event }] })
    }
  }
  return plans
}

/** The delegates that this very command ended the first time. */
function* endedWith(desk: Desk, parent: SessionState): Reading<readonly string[]> {
  const ended: string[] = []
  const seen = new Set([parent.session])
  const waiting = [parent]
  for (let state = waiting.pop(); state; state = waiting.pop()) {
    for (const delegate of state.delegates.keys()) {
      if (seen.has(delegate)) continue
      seen.add(delegate)
      const stream = streamOf(desk, delegate)
      const [first] = yield* firstEvents(desk, stream)
      if (first?.type !== 'Ended') continue
      ended.push(delegate)
      waiting.push(yield* read.session(stream))
    }
  }
  return ended
}
