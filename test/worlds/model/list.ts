import type { Part } from '@refold/events'
import { inSight, shownMessages } from './transcript.ts'
import { tipOf, type Session } from './session.ts'
import type { Namespace, World } from './world.ts'

/** What the list says of a session, as far as the model knows it. */
export function row(world: World, namespace: Namespace, session: Session): object {
  const { id, title, archived, pinned, hidden, tags, model, started, lastActivity, segments } = session
  const own = [...session.usage.values()]
  const main = own.filter(({ task }) => task === null)
  const { turn, listedTurn } = session
  const isRunning = turn !== null && listedTurn === turn.id && turn.leaseUntil > world.now()
  return {
    id,
    tip: tipOf(session),
    segments: [...segments],
    title: title?.text ?? null,
    titleBy: title?.by ?? null,
    preview: preview(session),
    status: statusOf(session, isRunning),
    archived: archived !== null,
    pinned,
    hidden,
    tags: [...tags],
    workspace: null,
    model,
    origin: originOf(namespace, session),
    startedAt: started,
    lastActivityAt: lastActivity,
    messages: shownMessages(session).length,
    delegates: [...session.delegates.keys()].filter((one) => !namespace.sessions.get(one)?.deleted).length,
    turn: isRunning ? { id: turn.id, leaseUntil: turn.leaseUntil } : null,
    usage: {
      inputTokens: sum(main.map(({ input }) => input)),
      outputTokens: sum(main.map(({ output }) => output)),
      costUsd: sum(own.map(({ costUsd }) => costUsd)),
    },
  }
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

function statusOf(session: Session, isRunning: boolean): string {
  const { end, reported, listedTurn } = session
  if (end && end.class !== 'accident') return 'ended'
  if (isRunning) return 'running'
  if (reported) return 'ended'
  if (listedTurn !== null || end) return 'interrupted'
  return shownMessages(session).length === 0 ? 'empty' : 'waiting'
}

function originOf(namespace: Namespace, { origin }: Session): object {
  const { kind, session, message } = origin
  if (kind === 'root') return { kind }
  if (namespace.sessions.get(session ?? '')?.deleted) return { kind: 'root', was: kind }
  return kind === 'branch' ? { kind, session, message } : { kind, session }
}

/** The first words in sight that a person wrote, never the engine's. */
function preview(session: Session): string | null {
  for (const { kind, role, provenance, shownTo, parts } of inSight(session)) {
    if (kind !== 'message' || role !== 'user' || provenance !== 'person' || shownTo === 'model') continue
    const words = parts.map(wordsOf).find((text) => text !== '')
    if (words !== undefined) return words
  }
  return null
}

function wordsOf(part: Part): string {
  if (part.type !== 'text' || typeof part.text !== 'string') return ''
  const folded = part.text.slice(0, 320).replaceAll(/\s+/gu, ' ').trim()
  const isParted = /[\uD800-\uDBFF]/u.test(folded.charAt(79)) && folded.length > 79
  return (isParted ? folded.slice(0, 79) : folded.slice(0, 80)).toWellFormed()
}

export type Shelf = 'listed' | 'archived' | 'unlisted'

/** In which list a session stands; null: deleted. */
export function shelfOf(namespace: Namespace, { deleted, hidden, origin, archived }: Session): Shelf | null {
  if (deleted) return null
  const worksFor = origin.kind === 'delegate' && !namespace.sessions.get(origin.session ?? '')?.deleted
  if (hidden || worksFor) return 'unlisted'
  return archived === null ? 'listed' : 'archived'
}

/** Newest activity first; of equal times what was said last. */
export function listed(namespace: Namespace, shelves: readonly Shelf[]): readonly Session[] {
  return [...namespace.sessions.values()]
    .filter((session) => {
      const shelf = shelfOf(namespace, session)
      return shelf !== null && shelves.includes(shelf)
    })
    .sort((a, b) => b.lastActivity - a.lastActivity || b.activityStep - a.activityStep)
}
