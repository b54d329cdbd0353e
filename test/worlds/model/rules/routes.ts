import type { RouteAnswer } from '@refold/engine'
import { asItIs, isSession, living, refused, type Namespace, type Verdict } from '../world.ts'
import { free } from './delete.ts'
import { lead } from './start.ts'

export function bindRoute(
  namespace: Namespace,
  id: string,
  { route, takeOver }: { readonly route: string; readonly takeOver: number | null },
): Verdict<RouteAnswer> {
  const session = living(namespace, id)
  if (!isSession(session)) return session
  const { holder, generation } = namespace.routes.get(route) ?? { holder: null, generation: 0 }
  if (holder === id) return asItIs({ route, generation })
  if (holder !== null && takeOver === null) return refused('route-taken')
  if (holder !== null && takeOver !== generation) return refused('route-generation')
  const from = namespace.sessions.get(holder ?? '') ?? null
  return {
    code: 'ok',
    answer: { route, generation: generation + 1 },
    apply: () => {
      lead(namespace, route, from, session)
    },
  }
}

export function releaseRoute(namespace: Namespace, id: string, route: string): Verdict<RouteAnswer> {
  const session = living(namespace, id)
  if (!isSession(session)) return session
  const generation = session.routes.get(route)
  if (generation === undefined) return refused('route-not-bound')
  return {
    code: 'ok',
    answer: { route, generation },
    apply: () => {
      session.routes.delete(route)
      free(namespace, route)
    },
  }
}
