import { streamOf, type Desk } from '../deciding/desk.ts'
import { read, type Reading } from '../deciding/reading.ts'
import type { SessionState } from '../deciding/session-state.ts'

export interface DoomedSession {
  readonly session: string
  readonly stream: string
  readonly state: SessionState
  /** The seed that it goes with; itself for a seed. */
  readonly seed: string
}

/**
 * The seeds and all delegates below them, each once, seeds first. A session counts as a delegate only by its own origin:
 * what is also a branch, a reset or of unknown kind stays. No seed is ever another's descendant, and circles end.
 * `children` names delegates that only the delegates' own events know of, as imports may leave them.
 */
export function* deletionClosure(
  desk: Desk,
  seeds: readonly string[],
  children: ReadonlyMap<string, readonly string[]>,
): Reading<readonly DoomedSession[]> {
  const doomed: DoomedSession[] = []
  const seen = new Set(seeds)
  for (const seed of seen) {
    const stream = streamOf(desk, seed)
    doomed.push({ session: seed, stream, state: yield* read.session(stream), seed })
  }
  // Grows while it is walked, so that delegates of delegates are reached, too.
  for (const { session, state, seed } of doomed) {
    for (const child of new Set([...state.delegates.keys(), ...(children.get(session) ?? [])])) {
      if (seen.has(child)) continue
      const stream = streamOf(desk, child)
      const found = yield* read.session(stream)
      if (found.origin?.kind !== 'delegate' || found.origin.session !== session) continue
      seen.add(child)
      doomed.push({ session: child, stream, state: found, seed })
    }
  }
  return doomed
}
