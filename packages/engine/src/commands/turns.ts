import type { Recorded } from '@refold/events'
import type { Desk } from '../deciding/desk.ts'
import { derivedId } from '../deciding/desk.ts'
import type { Deciding } from '../deciding/plan.ts'
import { decideOn, nothing } from '../deciding/session-command.ts'
import { heldTurn, type SessionState } from '../deciding/session-state.ts'
import { refuse, type Refusal } from '../refusal.ts'
import { turnEndedId, turnStartedId } from './turn-events.ts'
import type { CommandOptions } from './command-options.ts'

export interface StartTurnInput extends CommandOptions {
  /** Id of the turn, its own key. Absent: derived from the key. */
  readonly turn?: string
  /** Who works on it, in words that another holder can understand. Absent: the actor. */
  readonly holder?: string
  /** Milliseconds without an append after which another may take over. Absent: 120,000. */
  readonly leaseMs?: number
}

export interface TurnAnswer {
  readonly turn: string
  /** Epoch milliseconds by the engine's clock. */
  readonly leaseUntil: number
}

/** Milliseconds without a sign of life after which another may take a turn over. */
export const LEASE_MS = 120_000

/** Begins to work on a session. Refused while another's lease runs; a lease that ran out is taken over. */
export function startTurn(desk: Desk, session: string, input: StartTurnInput): Deciding<TurnAnswer> {
  const { holder = desk.actor.id, leaseMs = LEASE_MS } = input
  const turn = input.turn ?? derivedId(desk, 'turn')
  return decideOn<TurnAnswer>(desk, session, {
    name: 'work on',
    writes: ['TurnStarted'],
    firstEventId: (stream) => turnStartedId(desk, stream, turn),
    decide(state, stream) {
      if (state.end && state.end.class !== 'accident')
        return refuse('session-ended', { session, reason: state.end.reason })
      const held = heldTurn(state, desk.now)
      if (held) return refuse('turn-held', { session, turn: held.id, holder: held.holder, leaseUntil: held.leaseUntil })
      const event = { type: 'TurnStarted', data: { turn, holder, leaseMs } } as const
      const answer = { turn, leaseUntil: desk.now + leaseMs }
      return { events: [{ event, id: turnStartedId(desk, stream, turn) }], answer }
    },
    again: firstLease(turn),
  })
}

/** The lease that the first time gave; an append may have renewed it since. */
const firstLease =
  (turn: string) =>
  ([first]: readonly Recorded[]): TurnAnswer => {
    const lease = first?.type === 'TurnStarted' || first?.type === 'TurnRenewed' ? first.data.leaseMs : 0
    return { turn, leaseUntil: (first?.recordedAt ?? 0) + lease }
  }

/** Keeps a silent turn alive. */
export function renewTurn(
  desk: Desk,
  session: string,
  { turn, leaseMs }: { readonly turn: string; readonly leaseMs?: number },
): Deciding<TurnAnswer> {
  return decideOn<TurnAnswer>(desk, session, {
    name: 'renew a turn of',
    writes: ['TurnRenewed'],
    decide(state) {
      const lost = notThisTurn(state, turn)
      if (lost) return lost
      const lease = leaseMs ?? state.turn?.leaseMs ?? LEASE_MS
      const answer = { turn, leaseUntil: desk.now + lease }
      return { events: [{ type: 'TurnRenewed', data: { turn, leaseMs: lease } }], answer }
    },
    again: firstLease(turn),
  })
}

/** Ends a turn; the session waits for the next one. A turn that was taken over cannot end the one that took it. */
export function endTurn(
  desk: Desk,
  session: string,
  { turn, outcome = 'done' }: { readonly turn: string; readonly outcome?: 'done' | 'failed' | 'cancelled' },
): Deciding<object> {
  return decideOn(desk, session, {
    name: 'end a turn of',
    writes: ['TurnEnded'],
    firstEventId: (stream) => turnEndedId(desk, stream, turn),
    decide(state, stream) {
      if (state.turn?.id === turn && state.turn.ended) return nothing({})
      const lost = notThisTurn(state, turn)
      if (lost) return lost
      const event = { type: 'TurnEnded', data: { turn, outcome } } as const
      return { events: [{ event, id: turnEndedId(desk, stream, turn) }], answer: {} }
    },
    again: () => ({}),
  })
}

function notThisTurn({ session, turn: current }: SessionState, turn: string): Refusal | undefined {
  if (current?.id === turn && !current.ended) return undefined
  if (current === null || current.id === turn) return refuse('turn-not-found', { session: session ?? '', turn })
  return refuse('turn-lost', { session: session ?? '', turn, holder: current.holder })
}
