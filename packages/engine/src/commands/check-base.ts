import type { SessionState } from '../deciding/session-state.ts'
import { refuse, type Refusal } from '../refusal.ts'

/** A change of what was said is decided on what one has read: refused once there is more. */
export function checkBase({ session, revision }: SessionState, base: number | undefined): Refusal | undefined {
  if (base === undefined || base === revision) return undefined
  return refuse('moved-on', { session: session ?? '', expected: base, actual: revision })
}
