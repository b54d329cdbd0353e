import { isSessionStream, type AnyRecorded } from '@refold/events'
import { evolveClaim, initialClaim, type ClaimState } from './claim-state.ts'
import { evolveSession } from './evolve-session.ts'
import { initialSession, type SessionState } from './session-state.ts'
import { decodeState, encodeState, STATE_VERSION } from './state-snapshot.ts'
import type { StateSnapshots } from './state-snapshots.ts'
import { StateCache } from './state-cache.ts'

/** Sessions and claims whose states are kept in memory. */
const SESSIONS_KEPT = 2_000
const CLAIMS_KEPT = 2_000

/** A fold of this many events is worth a snapshot. */
const SNAPSHOT_EVERY = 300

export interface States {
  readonly sessions: StateCache<SessionState>
  readonly claims: StateCache<ClaimState>
  /** Takes note of events that were just appended. */
  follow(events: readonly AnyRecorded[]): void
  /** Saves the snapshots that became due; call outside of any transaction. */
  saveSnapshots(): void
  /** Leaves out those that are due. */
  forgetSnapshots(): void
}

export function makeStates(snapshots?: StateSnapshots): States {
  const due = new Map<string, { readonly revision: number; readonly hash: string; readonly state: SessionState }>()
  const sinceSaved = new Map<string, number>()
  const noteFolded = (stream: string, revision: number, hash: string, state: SessionState, events: number): void => {
    const count = (sinceSaved.get(stream) ?? 0) + events
    // Forgetting a count only delays a snapshot; keeping those of all sessions ever used would fill the memory.
    if (sinceSaved.size >= 2 * SESSIONS_KEPT) sinceSaved.clear()
    sinceSaved.set(stream, count)
    if (count >= SNAPSHOT_EVERY) due.set(stream, { revision, hash, state })
  }
  const sessions = new StateCache<SessionState>(
    {
      initial: initialSession,
      evolve: evolveSession,
      load: (stream) => {
        const snapshot = snapshots?.load(stream)
        if (!snapshot || snapshot.version !== STATE_VERSION) return undefined
        return { revision: snapshot.revision, hash: snapshot.hash, state: decodeState(snapshot.state) }
      },
      folded: (stream, { revision, hash, state }, events) => noteFolded(stream, revision, hash, state, events),
    },
    SESSIONS_KEPT,
  )
  const claims = new StateCache<ClaimState>({ initial: initialClaim, evolve: evolveClaim }, CLAIMS_KEPT)
  return {
    sessions,
    claims,
    follow(events) {
      const own = events.filter((event) => isSessionStream(event.stream))
      sessions.follow(own)
      claims.follow(events.filter((event) => !isSessionStream(event.stream)))
      if (!snapshots) return
      for (const stream of new Set(own.map((event) => event.stream))) {
        const folded = sessions.peek(stream)
        const count = own.filter((event) => event.stream === stream).length
        if (folded) noteFolded(stream, folded.revision, folded.hash, folded.state, count)
      }
    },
    forgetSnapshots() {
      due.clear()
    },
    saveSnapshots() {
      for (const [stream, { revision, hash, state }] of due) {
        due.delete(stream)
        sinceSaved.delete(stream)
        snapshots?.save(stream, { revision, hash, version: STATE_VERSION, state: encodeState(state) })
      }
    },
  }
}
