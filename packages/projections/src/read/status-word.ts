import type { TipRow } from '../rules/tips-rows.ts'

export type StatusWord = 'running' | 'waiting' | 'ended' | 'interrupted' | 'empty'

type Facts = Pick<TipRow, 'endClass' | 'reported' | 'turn' | 'leaseUntil' | 'messages'>

/**
 * The one word for a session's state, from its facts and the clock (epoch milliseconds): ended on purpose or, a delegate,
 * done; running while a turn's lease lasts; interrupted when its process went away or let the lease run out.
 */
export function statusWord({ endClass, reported, turn, leaseUntil, messages }: Facts, now: number): StatusWord {
  if (endClass === 'deliberate' || endClass === 'reset') return 'ended'
  if (turn !== null && leaseUntil > now) return 'running'
  if (reported) return 'ended'
  if (turn !== null || endClass === 'accident') return 'interrupted'
  return messages === 0 ? 'empty' : 'waiting'
}
