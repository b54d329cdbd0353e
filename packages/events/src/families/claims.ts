import { z } from 'zod'
import { identifier } from '../identifier.ts'
import type { ClaimKind } from '../streams.ts'

/** In a claim's stream: a session holds the name that the stream's digest stands for. Nothing of the name itself. */
export interface Claimed {
  readonly type: 'Claimed'
  readonly data: { readonly kind: ClaimKind; readonly namespace: string; readonly holder: string }
}

export interface Released {
  readonly type: 'Released'
  readonly data: { readonly holder: string; readonly why: string }
}

/** In the session's stream: a claim that no fact backs is about to be released, so a late deciding append must decide anew. */
export interface ClaimDropped {
  readonly type: 'ClaimDropped'
  readonly data: { readonly claim: string; readonly claimRevision: number }
}

export type ClaimEvent = Claimed | Released | ClaimDropped

export const claimSchemas: { readonly [E in ClaimEvent as E['type']]: z.ZodType<E['data']> } = {
  Claimed: z.strictObject({ kind: z.enum(['id', 'title', 'route']), namespace: identifier, holder: identifier }),
  Released: z.strictObject({ holder: identifier, why: z.string() }),
  ClaimDropped: z.strictObject({ claim: z.string(), claimRevision: z.int().nonnegative() }),
}
