import type { RestoreAnswer } from '@refold/engine'
import type { Session } from '../session.ts'
import { freeTitle } from '../titles.ts'
import { asItIs, refused, type Namespace, type Verdict, type World } from '../world.ts'
import { lead } from './start.ts'

interface Doomed {
  readonly session: Session
  readonly seed: string
}

/** The seeds and their delegates, near and far; branches and resets stay. A seed is nobody's delegate here. */
function doomedBy(namespace: Namespace, seeds: readonly string[]): readonly Doomed[] {
  const found: Doomed[] = []
  const add = (id: string, seed: string): void => {
    const session = namespace.sessions.get(id)
    if (session && !found.some((one) => one.session === session)) found.push({ session, seed })
  }
  for (const seed of seeds) add(seed, seed)
  for (const { session, seed } of found) for (const delegate of session.delegates.keys()) add(delegate, seed)
  return found
}

export function deletes(
  world: World,
  namespace: Namespace,
  seeds: readonly string[],
): Verdict<{ readonly deletionId: string | null }> {
  if (seeds.some((seed) => !namespace.sessions.has(seed))) return refused('session-not-found')
  const doomed = doomedBy(namespace, [...new Set(seeds)]).filter(({ session }) => !session.deleted)
  const isHeld = ({ session: { turn } }: Doomed): boolean =>
    turn !== null && !turn.ended && world.now() < turn.leaseUntil
  if (doomed.some(isHeld)) return refused('has-live-turn')
  const deletes = { sameMembers: doomed.map(({ session }) => session.id) }
  if (doomed.length === 0) return asItIs({ deletes })
  return {
    code: 'ok',
    answer: { deletes },
    apply: ({ deletionId }) => {
      for (const { session, seed } of doomed) {
        const along = doomed.filter((one) => one.seed === session.id && one.session !== session)
        session.deleted = { id: deletionId ?? '', seed, along: along.map((one) => one.session.id) }
        for (const route of session.routes.keys()) free(namespace, route)
      }
    },
  }
}

export function free(namespace: Namespace, route: string): void {
  const known = namespace.routes.get(route)
  if (known) namespace.routes.set(route, { ...known, holder: null })
}

/** Brings a session back, and what the same deletion took along with it. */
export function restore(namespace: Namespace, id: string): Verdict<RestoreAnswer> {
  const session = namespace.sessions.get(id)
  if (!session) return refused('session-not-found')
  const { deleted, origin } = session
  if (!deleted) return refused('not-deleted')
  const parent = origin.kind === 'delegate' ? namespace.sessions.get(origin.session ?? '') : undefined
  if (deleted.seed !== id && parent?.deleted) return refused('parent-deleted')
  const back = [session]
  for (const one of back)
    for (const child of one.delegates.keys()) {
      const delegate = namespace.sessions.get(child)
      const isAlong = delegate?.deleted?.id === deleted.id && delegate.deleted.seed !== child
      if (delegate && isAlong && !back.includes(delegate)) back.push(delegate)
    }
  const titles = new Map<Session, string>()
  for (const one of back) if (one.title) titles.set(one, freeTitle(namespace, one.title.text, one.id, nfc(titles)))
  const lost = back.flatMap((one) =>
    [...one.routes.keys()].filter((route) => namespace.routes.get(route)?.holder !== null),
  )
  const retitled = [...titles].flatMap(([one, title]) =>
    title === one.title?.text ? [] : [{ session: one.id, was: one.title?.text ?? '', title }],
  )
  return {
    code: 'ok',
    answer: { restored: { sameMembers: back.map((one) => one.id) }, retitled, routesLost: { sameMembers: lost } },
    apply: () => {
      for (const one of back) {
        one.deleted = null
        const text = titles.get(one)
        one.title = text === undefined || !one.title ? null : { text, by: one.title.by }
        for (const route of one.routes.keys()) {
          if (namespace.routes.get(route)?.holder === null) lead(namespace, route, null, one)
          else one.routes.delete(route)
        }
      }
    },
  }
}

const nfc = (titles: ReadonlyMap<Session, string>): ReadonlySet<string> =>
  new Set([...titles.values()].map((title) => title.normalize('NFC')))
