import { isKnown, type AnyRecorded } from '@refold/events'

/** Who holds a name. */
export interface ClaimState {
  readonly holder: string | null
  /** How often it was taken; for a route this is its generation, which never falls. */
  readonly taken: number
  readonly revision: number
}

export const initialClaim: ClaimState = { holder: null, taken: 0, revision: -1 }

export function evolveClaim(state: ClaimState, event: AnyRecorded): ClaimState {
  const { revision } = event
  if (isKnown(event) && event.type === 'Claimed') return { holder: event.data.holder, taken: state.taken + 1, revision }
  if (isKnown(event) && event.type === 'Released') {
    // A delayed release by somebody who no longer holds it changes nothing.
    return { ...state, holder: event.data.holder === state.holder ? null : state.holder, revision }
  }
  return { ...state, revision }
}
