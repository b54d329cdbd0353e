import type { Durability } from '@refold/events'
import type { Refusal } from './refusal.ts'

/** What every command answers that was taken. */
export interface Accepted {
  readonly ok: true
  /** Identity of the session that it concerned, whatever name or segment it was called by. */
  readonly session: string
  /** Revision of the session's last event now, as far as this command saw it. */
  readonly revision: number
  /** Types of the events written into that session, in order; empty when everything was as asked already. */
  readonly events: readonly string[]
  /** The same command (by key) was carried out before; this is its outcome, nothing was written again. */
  readonly repeated: boolean
  /** How safe it is now. */
  readonly durability: Durability
}

/** Taken, with the command's own fields, or refused and nothing written. */
export type Outcome<Extra extends object = object> = (Accepted & Extra) | Refusal
