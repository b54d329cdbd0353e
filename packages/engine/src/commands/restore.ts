import { isKnown } from '@refold/events'
import { claim } from '../claims.ts'
import { streamOf, type Desk } from '../deciding/desk.ts'
import type { Deciding, PlannedEvent, StreamPlan } from '../deciding/plan.ts'
import { read, type Reading } from '../deciding/reading.ts'
import { checkRights } from '../deciding/rights.ts'
import { checkExpected, firstEvents } from '../deciding/session-command.ts'
import type { SessionState } from '../deciding/session-state.ts'
import { refuse } from '../refusal.ts'
import { routeEvent } from './move-routes.ts'
import { claimNextTitle } from './title-claim.ts'

export interface RestoreAnswer {
  /** All sessions that came back. */
  readonly restored: readonly string[]
  /** Those whose title was taken meanwhile, with the one they have now. */
  readonly retitled: readonly { readonly session: string; readonly was: string; readonly title: string }[]
  /** Routes that did not come back. */
  readonly routesLost: readonly string[]
}

/** Events read at a time on the way back. */
const PAGE = 200

/** Brings a session back, with those delegates that the same deletion took and whose own parent is back. */
export function* restore(desk: Desk, session: string): Deciding<RestoreAnswer> {
  const stream = streamOf(desk, session)
  const state = yield* read.session(stream)
  if (state.session === null) return refuse('session-not-found', { name: session })
  const first = yield* firstEvents(desk, stream)
  if (first[0]) {
    if (first[0].type !== 'Restored') return refuse('key-reused', { session, key: desk.key, found: first[0].type })
    const told = { revision: first.at(-1)?.revision ?? 0, events: first.map((event) => event.type) }
    const answer = yield* restoredBefore(desk, session)
    return { ok: true, session, stream, revision: state.revision, appends: [], answer, first: told }
  }
  if (!state.deleted) return refuse('not-deleted', { session })
  if (state.purged) return refuse('session-purged', { session })
  const refusal = checkExpected(desk, state) ?? (yield* checkRights(desk, session, 'restore'))
  if (refusal) return refusal
  const parent = state.origin?.kind === 'delegate' ? state.origin.session : null
  if (parent !== null && state.deleted.seed !== session && (yield* read.session(streamOf(desk, parent))).deleted)
    return refuse('parent-deleted', { session, parent })
  const appends: StreamPlan[] = []
  const retitled: { readonly session: string; readonly was: string; readonly title: string }[] = []
  const routesLost: string[] = []
  const titles = new Set<string>()
  const returning = yield* takenAlong(desk, state, state.deleted.deletionId)
  for (const back of returning) {
    const events: PlannedEvent[] = []
    const titled = back.title ? yield* claimNextTitle(desk, back.title.text, back.session, { taken: titles }) : null
    if (titled) titles.add(titled.title.normalize('NFC'))
    if (titled && titled.title !== back.title?.text)
      retitled.push({ session: back.session, was: back.title?.text ?? '', title: titled.title })
    const { deletionId } = back.deleted
    events.push({ event: { type: 'Restored', data: { deletionId, title: titled?.title ?? null } } })
    const claims: StreamPlan[] = [...(titled?.appends ?? [])]
    for (const [route, generation] of back.routes) {
      const found = yield* claim(desk, 'route', route, back.session)
      if (found.free) claims.push(...found.appends)
      else routesLost.push(route)
      events.push(found.free ? routeEvent(route, true, found.taken) : routeEvent(route, false, generation))
    }
    appends.push(...claims, { stream: streamOf(desk, back.session), expected: back.revision, events })
  }
  const answer = { restored: returning.map((back) => back.session), retitled, routesLost }
  return { ok: true, session, stream, revision: state.revision, appends, answer }
}

type Returning = SessionState & { readonly session: string; readonly deleted: NonNullable<SessionState['deleted']> }

/** The session and its delegates, theirs included, as far as the same deletion took them. */
function* takenAlong(desk: Desk, state: SessionState, deletionId: string): Reading<readonly Returning[]> {
  const back: Returning[] = []
  const seen = new Set<string>()
  const candidates = new Set(state.deleted?.along)
  const take = (found: SessionState): boolean => {
    const { session, deleted, purged } = found
    if (session === null || deleted?.deletionId !== deletionId || purged || seen.has(session)) return false
    seen.add(session)
    back.push({ ...found, session, deleted })
    return true
  }
  take(state)
  for (const parent of back) {
    for (const child of new Set([...parent.delegates.keys(), ...candidates])) {
      if (seen.has(child)) continue
      const found = yield* read.session(streamOf(desk, child))
      const isSeed = found.deleted?.seed === child
      if (found.origin?.kind === 'delegate' && found.origin.session === parent.session && !isSeed) take(found)
    }
  }
  return back
}

/** What this very command restored the first time, from the events that it wrote then. */
function* restoredBefore(desk: Desk, seed: string): Reading<RestoreAnswer> {
  const restored = new Set([seed])
  const retitled: { readonly session: string; readonly was: string; readonly title: string }[] = []
  const routesLost: string[] = []
  for (const session of restored) {
    const stream = streamOf(desk, session)
    for (const event of yield* firstEvents(desk, stream)) {
      if (event.type === 'Restored') {
        const { title } = event.data
        const was = yield* titleBefore(stream, event.revision)
        if (title !== null && was !== null && was !== title) retitled.push({ session, was, title })
      }
      if (event.type === 'SettingChanged' && event.data.key === 'route' && !event.data.bound)
        routesLost.push(event.data.route)
    }
    for (const child of (yield* read.session(stream)).delegates.keys()) {
      const [first] = yield* firstEvents(desk, streamOf(desk, child))
      if (first?.type === 'Restored') restored.add(child)
    }
  }
  return { restored: [...restored], retitled, routesLost }
}

/** The title that a session had before an event. Looks back through its log: only repeats of a restore pay for it. */
function* titleBefore(stream: string, revision: number): Reading<string | null> {
  for (let from = revision - 1; from >= 0; from -= PAGE) {
    for (const event of yield* read.events(stream, { from, limit: PAGE, backwards: true }))
      if (isKnown(event) && (event.type === 'Renamed' || event.type === 'Restored')) return event.data.title
  }
  return null
}
