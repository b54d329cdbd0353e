import type { ClaimKind } from '@refold/events'
import { claimOf, type Desk } from './deciding/desk.ts'
import type { StreamPlan } from './deciding/plan.ts'
import { read, type Reading } from './deciding/reading.ts'

/** Whether a name is to be had, and what taking it writes. */
export type Claim =
  | { readonly free: true; readonly taken: number; readonly appends: readonly StreamPlan[] }
  | {
      readonly free: false
      readonly taken: number
      readonly holder: string
      readonly stream: string
      readonly revision: number
    }

const NOTHING: Claim = { free: true, taken: 0, appends: [] }

/** Looks a name up for somebody. Its own holder gets it without writing anything. */
export function* claim(desk: Desk, kind: ClaimKind, name: string, holder: string): Reading<Claim> {
  if (!desk.claims) return NOTHING
  const stream = claimOf(desk, kind, name)
  const state = yield* read.claim(stream)
  if (state.holder === holder) return { free: true, taken: state.taken, appends: [] }
  if (state.holder !== null)
    return { free: false, taken: state.taken, holder: state.holder, stream, revision: state.revision }
  const event = { type: 'Claimed', data: { kind, namespace: desk.namespace, holder } } as const
  const expected = state.revision < 0 ? 'no-stream' : state.revision
  return { free: true, taken: state.taken + 1, appends: [{ stream, expected, events: [{ event }] }] }
}

/** What giving a name back writes: nothing where it is not held by `holder`. */
export function* release(
  desk: Desk,
  kind: ClaimKind,
  name: string,
  holder: string,
  why: string,
): Reading<readonly StreamPlan[]> {
  if (!desk.claims) return []
  const stream = claimOf(desk, kind, name)
  const state = yield* read.claim(stream)
  if (state.holder !== holder) return []
  const event = { type: 'Released', data: { holder, why } } as const
  return [{ stream, expected: state.revision, events: [{ event }] }]
}

/** Who holds a name; null for nobody. */
export function* holderOf(desk: Desk, kind: ClaimKind, name: string): Reading<string | null> {
  return (yield* read.claim(claimOf(desk, kind, name))).holder
}
