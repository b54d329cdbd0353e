import type { Desk } from '../deciding/desk.ts'
import type { Deciding } from '../deciding/plan.ts'
import { speaksForPerson } from '../deciding/rights.ts'
import { decideOn, nothing } from '../deciding/session-command.ts'
import { refuse } from '../refusal.ts'

/** Takes a session out of the plain list. What a person archived, activity does not bring back; what the idle rule did, it does. */
export function archive(
  desk: Desk,
  session: string,
  { by = 'person' }: { readonly by?: 'person' | 'idle' },
): Deciding<object> {
  return decideOn(desk, session, {
    name: 'archive',
    writes: ['Archived'],
    decide(state) {
      if (by === 'person' && !speaksForPerson(desk))
        return refuse('not-allowed', { session, actor: desk.actor.id, command: 'archive for a person' })
      if (state.archived === by || state.archived === 'person') return nothing({})
      return { events: [{ type: 'Archived', data: { by } }], answer: {} }
    },
    again: () => ({}),
  })
}

/** Brings a session back into the plain list. Housekeeping may not undo what a person archived. */
export function unarchive(desk: Desk, session: string): Deciding<object> {
  return decideOn(desk, session, {
    name: 'unarchive',
    writes: ['Unarchived'],
    decide(state) {
      if (state.archived === null) return nothing({})
      if (state.archived === 'person' && !speaksForPerson(desk))
        return refuse('not-allowed', { session, actor: desk.actor.id, command: 'unarchive' })
      return { events: [{ type: 'Unarchived', data: { by: 'person' } }], answer: {} }
    },
    again: () => ({}),
  })
}
