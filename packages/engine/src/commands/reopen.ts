import type { Desk } from '../deciding/desk.ts'
import type { Deciding } from '../deciding/plan.ts'
import { decideOn, nothing } from '../deciding/session-command.ts'

/** Takes an end back, whatever its class. */
export function reopen(desk: Desk, session: string): Deciding<object> {
  return decideOn(desk, session, {
    name: 'reopen',
    writes: ['Reopened'],
    decide(state) {
      if (!state.end) return nothing({})
      return { events: [{ type: 'Reopened', data: { why: 'person' } }], answer: {} }
    },
    again: () => ({}),
  })
}
