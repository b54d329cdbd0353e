import type { Recorded } from '@refold/events'
import { claim, release } from '../claims.ts'
import { streamOf, type Desk } from '../deciding/desk.ts'
import type { Deciding, StreamPlan } from '../deciding/plan.ts'
import { read } from '../deciding/reading.ts'
import { decideOn, nothing } from '../deciding/session-command.ts'
import { refuse } from '../refusal.ts'
import { describeHolder } from './describe-holder.ts'
import { passOn, routeEvent } from './move-routes.ts'
import type { CommandOptions } from './command-options.ts'

export interface BindRouteInput extends CommandOptions {
  readonly route: string
  /** The generation that the caller knows, to take the route from the session that holds it. */
  readonly takeOver?: number
}

export interface RouteAnswer {
  readonly route: string
  readonly generation: number
}

/** Binds an outside address to a session. Its generation counts how often it was bound and never falls. */
export function bindRoute(desk: Desk, session: string, { route, takeOver }: BindRouteInput): Deciding<RouteAnswer> {
  return decideOn<RouteAnswer>(desk, session, {
    name: 'bind a route to',
    writes: ['SettingChanged'],
    isSame: (first) => isAbout(first, route, true),
    *lookAndDecide(state) {
      const found = yield* claim(desk, 'route', route, session)
      if (found.free) {
        const generation = found.taken
        const answer = { route, generation }
        if (state.routes.get(route) === generation) return nothing(answer)
        return { before: found.appends, events: [routeEvent(route, true, generation)], answer }
      }
      const { holder, taken: current, stream, revision } = found
      if (takeOver === undefined)
        return refuse('route-taken', { route, generation: current, ...(yield* describeHolder(desk, holder)) })
      if (takeOver !== current) return refuse('route-generation', { route, generation: takeOver, current })
      const left = yield* read.session(streamOf(desk, holder))
      const generation = current + 1
      const before: StreamPlan[] = [{ stream, expected: revision, events: passOn(desk, holder, session) }]
      if (left.session !== null)
        before.push({
          stream: streamOf(desk, holder),
          expected: left.revision,
          events: [routeEvent(route, false, current)],
        })
      return { before, events: [routeEvent(route, true, generation)], answer: { route, generation } }
    },
    again: ([first]) => ({ route, generation: generationIn(first) }),
  })
}

/** Gives an address back. Its generation stays for whoever binds it next to raise. */
export function releaseRoute(
  desk: Desk,
  session: string,
  { route }: { readonly route: string },
): Deciding<RouteAnswer> {
  return decideOn<RouteAnswer>(desk, session, {
    name: 'release a route of',
    writes: ['SettingChanged'],
    isSame: (first) => isAbout(first, route, false),
    *lookAndDecide(state) {
      const generation = state.routes.get(route)
      if (generation === undefined) return refuse('route-not-bound', { session, route })
      const after = yield* release(desk, 'route', route, session, 'released')
      return { events: [routeEvent(route, false, generation)], after, answer: { route, generation } }
    },
    again: ([first]) => ({ route, generation: generationIn(first) }),
  })
}

const isAbout = (event: Recorded, route: string, bound: boolean): boolean =>
  event.type === 'SettingChanged' &&
  event.data.key === 'route' &&
  event.data.route === route &&
  event.data.bound === bound

const generationIn = (event: { readonly type: string; readonly data: object } | undefined): number =>
  event && 'generation' in event.data && typeof event.data.generation === 'number' ? event.data.generation : 0
