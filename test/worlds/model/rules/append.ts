import type { Part } from '@refold/events'
import type { AppendAnswer } from '@refold/engine'
import { newEntry } from '../entry.ts'
import { isOver, messageIn, tipOf, type Session } from '../session.ts'
import { asItIs, isSession, living, refused, type Namespace, type Verdict, type World } from '../world.ts'

/** A message as the model knows it; `id` null: made by the engine. */
export interface Said {
  readonly id: string | null
  readonly role: 'user' | 'assistant' | 'tool'
  readonly parts: readonly Part[]
  readonly shownTo: 'both' | 'person' | 'model'
  readonly partial: number | null
  readonly platformId: string | null
  readonly at: number | null
}

export interface AppendWish {
  readonly messages: readonly Said[]
  readonly turn: string | null
  readonly reopen: boolean
  readonly route: { readonly route: string; readonly generation: number } | null
}

const PROVENANCE = { user: 'person', assistant: 'model', tool: 'tool' } as const

const contentOf = ({ role, parts, platformId }: Said): string => JSON.stringify([role, parts, platformId])

/** What becomes of each message of a batch: written, or there already. */
export type Sorted = readonly { readonly said: Said; readonly isNew: boolean }[]

export function sortOut(session: Session, messages: readonly Said[]): Sorted | 'conflict' {
  const sorted: { said: Said; isNew: boolean }[] = []
  const batch = new Map<string, Said>()
  const platforms = new Set<string>()
  const grown = new Map<string, number>()
  for (const said of messages) {
    const key = said.id === null ? null : JSON.stringify([said.id, said.partial])
    const before = key === null ? undefined : batch.get(key)
    const own = said.id === null && said.platformId !== null
    let isNew: boolean | 'conflict'
    if (before) isNew = contentOf(before) === contentOf(said) ? false : 'conflict'
    else if (said.partial === null && said.platformId !== null && platforms.has(said.platformId)) isNew = false
    else if (said.id !== null && (said.partial ?? Infinity) < (grown.get(said.id) ?? 0)) isNew = false
    else isNew = own ? !session.platforms.has(said.platformId ?? '') : isUnknown(session, said)
    if (isNew === 'conflict') return 'conflict'
    if (isNew && key !== null) batch.set(key, said)
    if (isNew && said.id !== null) grown.set(said.id, said.partial ?? Infinity)
    if (isNew && said.platformId !== null && said.partial === null) platforms.add(said.platformId)
    sorted.push({ said, isNew })
  }
  return sorted
}

function isUnknown(session: Session, said: Said): boolean | 'conflict' {
  const { id, partial, platformId } = said
  const known = id === null ? undefined : messageIn(session, id)
  if (known && known.said !== null) {
    if (partial !== null) return false
    return known.said === contentOf(said) ? false : 'conflict'
  }
  if (platformId !== null && (session.platforms.get(platformId) ?? id) !== id) return false
  if (!known || partial === null) return true
  const before = known.grownBefore.get(partial)
  if (before !== undefined) return before === contentOf(said) ? false : 'conflict'
  if (partial > Math.max(...known.grown.keys())) return true
  const same = known.grown.get(partial)
  return same !== undefined && same !== contentOf(said) ? 'conflict' : false
}

export function append(
  world: World,
  namespace: Namespace,
  id: string,
  wish: AppendWish,
): Verdict<Pick<AppendAnswer, 'messages'>> {
  const session = living(namespace, id)
  if (!isSession(session)) return session
  const sorted = sortOut(session, wish.messages)
  if (sorted === 'conflict') return refused('message-conflict')
  const fresh = sorted.filter(({ isNew }) => isNew).length
  const answer = { appended: fresh, alreadyThere: sorted.length - fresh, landedIn: tipOf(session) }
  if (fresh === 0) return asItIs(answer)
  if (isOver(session) && !wish.reopen) return refused('session-ended')
  const { route, turn } = wish
  if (route) {
    const { holder, generation } = namespace.routes.get(route.route) ?? { holder: null, generation: 0 }
    if (holder !== id || generation !== route.generation) return refused('route-generation')
  }
  if (isLost(session, turn)) return refused('turn-lost')
  return {
    code: 'ok',
    answer,
    apply: ({ messages }) => {
      awake(world, session)
      write(world, session, sorted, messages, turn)
    },
  }
}

/** The turn was started here, not ended by its holder, and another one runs since. */
export function isLost({ turn: current, turns }: Session, turn: string | null): boolean {
  return turn !== null && current !== null && current.id !== turn && turns.get(turn) === 'started'
}

/** A message takes back an accident, or an end where it may, and what the idle rule archived. */
export function awake(world: World, session: Session): void {
  if (session.end) {
    session.entries.push(newEntry('reopen', '', world.step))
    session.end = null
  }
  if (session.archived === 'idle') session.archived = null
}

export function write(
  world: World,
  session: Session,
  sorted: Sorted,
  ids: readonly string[],
  turn: string | null,
): void {
  for (const [index, { said, isNew }] of sorted.entries()) {
    const id = said.id ?? ids[index] ?? ''
    if (!isNew) continue
    if (said.platformId !== null && !session.platforms.has(said.platformId)) session.platforms.set(said.platformId, id)
    put(world, session, id, said, turn)
    const time = timeOf(said.at, world.now())
    if (time >= session.lastActivity) {
      session.lastActivity = time
      session.activityStep = world.step + index / 1000
    }
    if (turn !== null && session.turn?.id === turn && !session.turn.ended)
      session.turn.leaseUntil = world.now() + session.turn.leaseMs
  }
}

function put(world: World, session: Session, id: string, said: Said, turn: string | null): void {
  const { parts, partial, role, shownTo } = said
  const content = contentOf(said)
  const known = messageIn(session, id)
  if (!known) {
    const grown = new Map(partial === null ? [] : [[partial, content]])
    const fields = { role, parts, shownTo, turn, grown, provenance: PROVENANCE[role] }
    session.entries.push(newEntry('message', id, world.step, { ...fields, said: partial === null ? content : null }))
    return
  }
  known.parts = parts
  known.told = world.step
  known.grew = world.step
  if (partial === null) known.said = content
  else known.grown.set(partial, content)
  for (const { covers, kept } of session.summaries) if (covers.delete(known)) kept.add(known)
}

/** A message's own time counts as far as it can be: not from before there were agents, nor from after it was written. */
export function timeOf(at: number | null, now: number): number {
  return at === null || at < Date.UTC(2000, 0, 1) ? now : Math.min(at, now)
}
