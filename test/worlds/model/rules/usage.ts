import type { Usage } from '../session.ts'
import { asItIs, isSession, living, refused, type Namespace, type Verdict } from '../world.ts'

/** Counted once for its key. */
export function recordUsage(namespace: Namespace, id: string, key: string, usage: Usage): Verdict {
  const known = namespace.sessions.get(id)
  if (!known) return refused('session-not-found')
  if (known.usage.has(key)) return asItIs({ repeated: true })
  const session = living(namespace, id)
  if (!isSession(session)) return session
  return {
    code: 'ok',
    apply: () => {
      session.usage.set(key, usage)
    },
  }
}
