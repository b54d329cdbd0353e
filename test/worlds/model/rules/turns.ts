import { isOver, type Session } from '../session.ts'
import { asItIs, isSession, living, refused, type Namespace, type Verdict, type World } from '../world.ts'

export function startTurn(
  world: World,
  namespace: Namespace,
  id: string,
  { turn, holder, leaseMs }: { readonly turn: string; readonly holder: string; readonly leaseMs: number },
): Verdict {
  const known = namespace.sessions.get(id)
  if (known?.turns.has(turn)) return asItIs({ turn, repeated: true })
  const session = living(namespace, id)
  if (!isSession(session)) return session
  if (isOver(session)) return refused('session-ended')
  const { turn: current } = session
  if (current && !current.ended && world.now() < current.leaseUntil) return refused('turn-held')
  const leaseUntil = world.now() + leaseMs
  return {
    code: 'ok',
    answer: { turn, leaseUntil },
    apply: () => {
      session.turn = { id: turn, holder, leaseMs, leaseUntil, ended: false }
      session.turns.set(turn, 'started')
      session.listedTurn = turn
      session.reported = false
    },
  }
}

export function renewTurn(world: World, namespace: Namespace, id: string, turn: string): Verdict {
  const session = living(namespace, id)
  if (!isSession(session)) return session
  const { turn: current } = session
  if (!current || (current.id === turn && current.ended)) return refused('turn-not-found')
  if (current.id !== turn) return refused('turn-lost')
  const leaseUntil = world.now() + current.leaseMs
  return {
    code: 'ok',
    answer: { turn, leaseUntil },
    apply: () => {
      current.leaseUntil = leaseUntil
    },
  }
}

export function endTurn(
  namespace: Namespace,
  id: string,
  { turn, outcome }: { readonly turn: string; readonly outcome: 'done' | 'failed' | 'cancelled' },
): Verdict {
  const known = namespace.sessions.get(id)
  if (known?.turns.get(turn) === 'ended') return asItIs({ repeated: true })
  const session = living(namespace, id)
  if (!isSession(session)) return session
  const { turn: current } = session
  if (!current || (current.id === turn && current.ended)) return refused('turn-not-found')
  if (current.id !== turn) return refused('turn-lost')
  return {
    code: 'ok',
    apply: () => {
      current.ended = true
      session.turns.set(turn, 'ended')
      if (session.listedTurn === turn) session.listedTurn = null
      if (outcome === 'failed') markUnanswered(session, turn)
    },
  }
}

/** What a person said in the turn is not sent again, unless something answered it. */
function markUnanswered(session: Session, turn: string): void {
  const own = session.entries.slice(session.inherited).filter(({ kind }) => kind === 'message')
  const from = own.findLastIndex((entry) => entry.turn !== turn) + 1
  const said = own.slice(from)
  const answered = said.findLastIndex(({ provenance }) => provenance !== 'person' && provenance !== 'engine')
  if (answered >= 0) return
  for (const entry of said) if (entry.provenance === 'person') entry.failed = true
}
