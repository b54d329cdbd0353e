import { commandEventId, isKnown } from '@refold/events'
import type { Desk } from '../deciding/desk.ts'
import { read, type Reading } from '../deciding/reading.ts'
import { heldTurn, type SessionState } from '../deciding/session-state.ts'
import { refuse, type Refusal } from '../refusal.ts'

/** A turn's id is its own key: it is started and ended once. */
export function turnStartedId(desk: Desk, stream: string, turn: string): string {
  return commandEventId(desk.sha256, stream, `turn ${turn}`, 0)
}

export function turnEndedId(desk: Desk, stream: string, turn: string): string {
  return commandEventId(desk.sha256, stream, `turn-end ${turn}`, 0)
}

/**
 * Refuses work of a turn that was taken over: started here, not ended by its holder, and no longer the session's turn. A turn
 * that was never started here is only a label, but not while another's lease runs: who was refused that lease may not go on
 * as if it had been given.
 */
export function* checkTurn(
  desk: Desk,
  stream: string,
  state: SessionState,
  turn: string | undefined,
): Reading<Refusal | undefined> {
  if (turn === undefined || state.turn === null || state.turn.id === turn) return undefined
  const session = state.session ?? ''
  const started = yield* read.find(stream, turnStartedId(desk, stream, turn))
  if (!started || !isKnown(started)) {
    const held = heldTurn(state, desk.now)
    if (!held) return undefined
    return refuse('turn-held', { session, turn: held.id, holder: held.holder, leaseUntil: held.leaseUntil })
  }
  if (yield* read.find(stream, turnEndedId(desk, stream, turn))) return undefined
  return refuse('turn-lost', { session, turn, holder: state.turn.holder })
}
