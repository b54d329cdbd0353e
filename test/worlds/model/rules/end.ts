import type { EndAnswer } from '@refold/engine'
import { newEntry } from '../entry.ts'
import type { EndClass, Session } from '../session.ts'
import { asItIs, isSession, living, type Namespace, type Verdict, type World } from '../world.ts'

interface End {
  readonly reason: string
  readonly class: EndClass
}

/** The first deliberate end stands; an accident gives way to any other. */
function takes({ end }: Session, cls: EndClass): boolean {
  return end === null || (end.class === 'accident' && cls !== 'accident')
}

export function end(world: World, namespace: Namespace, id: string, wish: End): Verdict<EndAnswer> {
  const session = living(namespace, id)
  if (!isSession(session)) return session
  if (!takes(session, wish.class)) return asItIs({ ...session.end, delegates: [] })
  const along = wish.class === 'accident' ? [] : openDelegates(namespace, session, wish.class)
  return {
    code: 'ok',
    answer: { ...wish, delegates: expectSame(along.map((one) => one.id)) },
    apply: () => endWith(world, namespace, session, wish),
  }
}

/** Their order is the engine's own. */
const expectSame = (ids: readonly string[]): { readonly sameMembers: readonly string[] } => ({ sameMembers: ids })

/** Ends a session, where that takes, and all delegates that still work for it, near and far. */
export function endWith(world: World, namespace: Namespace, session: Session, wish: End): void {
  if (!takes(session, wish.class)) return
  const along = wish.class === 'accident' ? [] : openDelegates(namespace, session, wish.class)
  finish(world, session, wish)
  for (const one of along) finish(world, one, { reason: 'parent-ended', class: wish.class })
}

function finish(world: World, session: Session, { reason, class: cls }: End): void {
  session.entries.push(newEntry('end', '', world.step))
  session.end = { reason, class: cls }
  session.listedTurn = null
}

function openDelegates(namespace: Namespace, session: Session, cls: EndClass): readonly Session[] {
  return [...session.delegates].flatMap(([id, status]) => {
    const delegate = namespace.sessions.get(id)
    if (status !== 'open' || !delegate || delegate.deleted || !takes(delegate, cls)) return []
    return [delegate, ...openDelegates(namespace, delegate, cls)]
  })
}

export function reopen(world: World, namespace: Namespace, id: string): Verdict {
  const session = living(namespace, id)
  if (!isSession(session)) return session
  if (!session.end) return asItIs()
  return {
    code: 'ok',
    apply: () => {
      session.entries.push(newEntry('reopen', '', world.step))
      session.end = null
    },
  }
}
