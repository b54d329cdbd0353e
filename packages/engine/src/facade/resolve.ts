import { isIdentifier } from '@refold/events'
import { resolveSession } from '@refold/projections'
import { claimStreamFor } from '@refold/events'
import { streamOf } from '../deciding/desk.ts'
import { read, type Reading } from '../deciding/reading.ts'
import { runAsync } from '../deciding/run.ts'
import { refuse, type Refusal } from '../refusal.ts'
import type { SessionPlace } from './session.ts'

export interface FoundSession {
  readonly ok: true
  readonly session: string
  readonly revision: number
}

/** The session that this very id names, its own or a segment's; asked of the log alone, so that no view can be behind. */
export async function sessionById(place: SessionPlace, id: string): Promise<FoundSession | undefined> {
  if (!isIdentifier(id)) return undefined
  const { driver, namespace } = place
  return runAsync(byId(), driver.store, driver.states)

  function* byId(): Reading<FoundSession | undefined> {
    const own = yield* read.session(streamOf(place, id))
    if (own.session !== null) return { ok: true, session: own.session, revision: own.revision }
    const claim = { namespace, kind: 'id', name: id } as const
    const { holder } = yield* read.claim(claimStreamFor(driver.source.sha256, driver.store.secret, claim))
    if (holder === null) return undefined
    // A claim alone proves nothing: the segment exists only if the session's own log says so.
    const { session, segments, revision } = yield* read.session(streamOf(place, holder))
    return session !== null && segments.includes(id) ? { ok: true, session, revision } : undefined
  }
}

/** The session that a name means; anything but one is a refusal, never a guess. */
export async function sessionByName(place: SessionPlace, name: string): Promise<FoundSession | Refusal> {
  const exact = await sessionById(place, name)
  if (exact) return exact
  const resolved = await place.reading.rows((rows) => resolveSession(rows, place.namespace, name))
  if (resolved.ok) return (await sessionById(place, resolved.session)) ?? refuse('session-not-found', { name })
  return resolved.code === 'ambiguous-session'
    ? refuse('ambiguous-session', { name, candidates: resolved.candidates })
    : refuse('session-not-found', { name })
}
