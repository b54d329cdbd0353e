import { newSession, type Session } from '../session.ts'
import { kept, titleHolder } from '../titles.ts'
import { isSession, living, refused, type Namespace, type Verdict, type World } from '../world.ts'
import { endWith } from './end.ts'

export interface StartWish {
  readonly id: string
  readonly title: string | null
  readonly resetOf: string | null
}

/** A root session, or one in which a conversation begins anew. */
export function start(world: World, namespace: Namespace, { id, title, resetOf }: StartWish): Verdict {
  const left = resetOf === null ? null : namespace.sessions.get(resetOf)
  if (left === undefined) return refused('session-not-found')
  if (namespace.ids.has(id)) return refused('id-taken')
  const text = title === null ? null : kept(title)
  if (text !== null && titleHolder(namespace, text) !== null) return refused('title-taken')
  if (left && !isSession(living(namespace, left.id))) return refused('session-deleted')
  return {
    code: 'ok',
    apply: () => {
      const origin = left
        ? ({ kind: 'reset', session: left.id, message: null } as const)
        : ({ kind: 'root', session: null, message: null } as const)
      const session = add(namespace, newSession(id, { started: world.now(), startStep: world.step, origin }))
      if (text !== null) session.title = { text, by: 'person' }
      if (!left) return
      for (const route of left.routes.keys()) lead(namespace, route, left, session)
      endWith(world, namespace, left, { reason: 'reset', class: 'reset' })
    },
  }
}

export function add(namespace: Namespace, session: Session): Session {
  namespace.sessions.set(session.id, session)
  namespace.ids.set(session.id, session.id)
  return session
}

/** An outside address leads elsewhere now; its generation rises. */
export function lead(namespace: Namespace, route: string, from: Session | null, to: Session): number {
  const generation = (namespace.routes.get(route)?.generation ?? 0) + 1
  from?.routes.delete(route)
  to.routes.set(route, generation)
  namespace.routes.set(route, { holder: to.id, generation })
  return generation
}
