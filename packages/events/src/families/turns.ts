import { z } from 'zod'
import { identifier } from '../identifier.ts'

export interface TurnStarted {
  readonly type: 'TurnStarted'
  readonly data: {
    readonly turn: string
    readonly holder: string
    /** Milliseconds from the time of recording; each append with this turn's id begins them anew. */
    readonly leaseMs: number
  }
}

/** For silence only: appends renew a lease by themselves. */
export interface TurnRenewed {
  readonly type: 'TurnRenewed'
  readonly data: { readonly turn: string; readonly leaseMs: number }
}

export interface TurnEnded {
  readonly type: 'TurnEnded'
  readonly data: { readonly turn: string; readonly outcome: 'done' | 'failed' | 'cancelled' }
}

export type TurnEvent = TurnStarted | TurnRenewed | TurnEnded

const leaseMs = z.int().positive()

export const turnSchemas: { readonly [E in TurnEvent as E['type']]: z.ZodType<E['data']> } = {
  TurnStarted: z.strictObject({ turn: identifier, holder: z.string(), leaseMs }),
  TurnRenewed: z.strictObject({ turn: identifier, leaseMs }),
  TurnEnded: z.strictObject({ turn: identifier, outcome: z.enum(['done', 'failed', 'cancelled']) }),
}
