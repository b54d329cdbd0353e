import { isMessage, newEntry, type Entry } from '../entry.ts'
import { messageIn, newSession, type Session } from '../session.ts'
import { freeTitle, kept, titleHolder } from '../titles.ts'
import { isHidden } from '../transcript.ts'
import { isSession, living, refused, type Namespace, type Verdict, type World } from '../world.ts'
import { add } from './start.ts'

export interface BranchWish {
  /** Null: it begins empty. */
  readonly from: string | null
  readonly id: string
  readonly title: string | null
}

/** A session that begins with a copy of part of another one. Neither side ever changes the other. */
export function branch(
  world: World,
  namespace: Namespace,
  originId: string,
  { from, id, title }: BranchWish,
): Verdict<{ readonly title: string | null }> {
  if (!namespace.sessions.has(originId)) return refused('session-not-found')
  if (namespace.ids.has(id)) return refused('id-taken')
  const text = title === null ? null : kept(title)
  if (text !== null && titleHolder(namespace, text) !== null) return refused('title-taken')
  const origin = living(namespace, originId)
  if (!isSession(origin)) return origin
  const last = from === null ? undefined : messageIn(origin, from)
  if (from !== null && !last) return refused('message-not-found')
  const numbered = text ?? (origin.title ? freeTitle(namespace, origin.title.text, id) : null)
  return {
    code: 'ok',
    answer: { title: numbered },
    apply: () => {
      const session = add(namespace, copy(world, origin, last, id))
      if (numbered !== null) session.title = { text: numbered, by: text === null ? 'branch' : 'person' }
    },
  }
}

function copy(world: World, origin: Session, last: Entry | undefined, id: string): Session {
  const shown = last ? origin.entries.slice(0, endOfPart(origin.entries, origin.entries.indexOf(last) + 1)) : []
  const copies = new Map<Entry, Entry>()
  for (const entry of shown) {
    const isClosed = entry.kind === 'alternative' && origin.rewinds.some((one) => one.id === entry.id && !one.open)
    if (!isClosed)
      copies.set(entry, { ...entry, grown: new Map(), grownBefore: new Map([...entry.grownBefore, ...entry.grown]) })
  }
  const copied = (entries: Iterable<Entry>): Set<Entry> =>
    new Set([...entries].flatMap((entry) => copies.get(entry) ?? []))
  const message = last?.id ?? null
  const session = newSession(id, {
    started: world.now(),
    startStep: world.step,
    origin: { kind: 'branch', session: origin.id, message },
    entries: [...copies.values()],
    inherited: copies.size,
    hiddenAtCut: copied(shown.filter((entry) => isHidden(origin, entry))),
    summaries: origin.summaries
      .filter(({ standing, over }) => standing && over.every((entry) => copies.has(entry)))
      .filter(({ covers }) => ![...covers].some((entry) => isHidden(origin, entry)))
      .map((summary) => ({
        ...summary,
        over: [...copied(summary.over)],
        covers: copied(summary.covers),
        kept: copied(summary.kept),
        unseen: copied(summary.unseen),
        forms: new Map(
          [...summary.forms].flatMap(([entry, form]) =>
            copies.has(entry) ? [[copies.get(entry) ?? entry, form] as const] : [],
          ),
        ),
        carrier: summary.carrier && (copies.get(summary.carrier) ?? null),
        inherited: true,
      })),
    platforms: new Map(
      [...origin.platforms].filter(([, one]) => shown.some((entry) => isMessage(entry) && entry.id === one)),
    ),
    model: origin.model,
    systemPrompt: origin.systemPrompt,
  })
  session.entries.push(newEntry('branch', origin.id, world.step))
  return session
}

/** Marks of compactions that follow the last message at once, or behind rotations, come along: it begins with their summaries. */
function endOfPart(entries: readonly Entry[], from: number): number {
  const marks = entries.slice(from)
  const others = marks.findIndex(({ kind }) => kind !== 'compaction' && kind !== 'rotation')
  const run = others < 0 ? marks : marks.slice(0, others)
  return from + run.findLastIndex(({ kind }) => kind === 'compaction') + 1
}
