import { refuse, type Refusal } from '../refusal.ts'
import { streamOf, type Desk } from './desk.ts'
import { read, type Reading } from './reading.ts'

/** A delegate has no rights over the sessions it works for, near or far. */
export function* checkRights(desk: Desk, session: string, command: string): Reading<Refusal | undefined> {
  const acting = desk.actor.session
  if (acting === undefined || acting === session) return undefined
  const seen = new Set<string>()
  for (let worker: string | null = acting; worker !== null && !seen.has(worker);) {
    seen.add(worker)
    const { origin }: { readonly origin: { readonly kind: string } | null } = yield* read.session(
      streamOf(desk, worker),
    )
    worker = employer(origin)
    if (worker === session) return refuse('not-allowed', { session, actor: acting, command })
  }
  return undefined
}

const employer = (origin: { readonly kind: string; readonly session?: string | null } | null): string | null =>
  origin?.kind === 'delegate' ? (origin.session ?? null) : null

/** Nobody but people, and those who pass on what a person said, may act in a person's name. */
export function speaksForPerson({ actor }: Desk): boolean {
  return actor.kind !== 'housekeeping' && actor.session === undefined
}
