import type { Actor } from '@refold/events'
import type { Engine, Refusal, SessionHandle } from '@refold/engine'
import type { Place } from './place.ts'
import { storeMissing } from './store-missing.ts'

/** Whoever types the command. */
const person: Actor = { kind: 'person', id: 'person', surface: 'cli' }

/** Works with an engine over the place's store, which must be there (else throws `store-missing`), and closes it. */
export function useEngine<T>(place: Place, work: (engine: Engine) => Promise<T>): Promise<T> {
  return openAndUse(place, false, work)
}

/** The same, and makes the store where there is none: only for commands that bring something new. */
export function useOrMakeEngine<T>(place: Place, work: (engine: Engine) => Promise<T>): Promise<T> {
  return openAndUse(place, true, work)
}

/** Works with one session, called by any of its names; an unknown or ambiguous one is refused. */
export function useSession<T>(
  place: Place,
  name: string,
  work: (session: SessionHandle, engine: Engine) => Promise<T>,
): Promise<T | Refusal> {
  return useEngine(place, async (engine) => {
    const found = await engine.session(name)
    return found.ok ? work(found.handle, engine) : found
  })
}

async function openAndUse<T>(place: Place, create: boolean, work: (engine: Engine) => Promise<T>): Promise<T> {
  const { isRefoldError, openEngine } = await import('@refold/engine')
  const { file, namespace } = place
  const engine = await openEngine({ file, namespace, create, actor: person }).catch((problem: unknown): never => {
    throw isRefoldError(problem, 'store-missing') ? storeMissing(place) : problem
  })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}
