import { claimOf, type Desk } from '../deciding/desk.ts'
import type { PlannedEvent, StreamPlan } from '../deciding/plan.ts'
import { read, type Reading } from '../deciding/reading.ts'
import type { SessionState } from '../deciding/session-state.ts'

/** What moving routes writes: into the session that loses them, into the one that gains them, and into their claims. */
export interface MovedRoutes {
  readonly left: readonly PlannedEvent[]
  readonly gained: readonly PlannedEvent[]
  readonly appends: readonly StreamPlan[]
}

/** Leads all routes of a session to another one; each generation rises by one. */
export function* moveRoutes(desk: Desk, from: SessionState, to: string): Reading<MovedRoutes> {
  const left: PlannedEvent[] = []
  const gained: PlannedEvent[] = []
  const appends: StreamPlan[] = []
  for (const [route, generation] of from.routes) {
    const stream = claimOf(desk, 'route', route)
    const claim = yield* read.claim(stream)
    left.push(routeEvent(route, false, generation))
    if (claim.holder !== from.session || from.session === null) continue
    gained.push(routeEvent(route, true, claim.taken + 1))
    appends.push({ stream, expected: claim.revision, events: passOn(desk, from.session, to) })
  }
  return { left, gained, appends }
}

export function routeEvent(route: string, bound: boolean, generation: number): PlannedEvent {
  return { event: { type: 'SettingChanged', data: { key: 'route', route, bound, generation } } }
}

/** A route's claim going from one session to another. */
export function passOn({ namespace }: Desk, from: string, to: string): readonly PlannedEvent[] {
  return [
    { event: { type: 'Released', data: { holder: from, why: 'passed on' } } },
    { event: { type: 'Claimed', data: { kind: 'route', namespace, holder: to } } },
  ]
}
