import type { Part } from '@refold/events'
import type { CompactAnswer } from '@refold/engine'
import { context, type Sent } from '../context.ts'
import { isForModel, isUnfinished, newEntry, type Entry } from '../entry.ts'
import { isOver, type Session } from '../session.ts'
import { inSight, isHidden } from '../transcript.ts'
import { isSession, living, refused, type Namespace, type Verdict, type World } from '../world.ts'

/** What somebody has read of a session's context, and when. */
export interface Reading {
  readonly session: string
  /** Ids of messages, the summary's left out; the digest stands for exactly these. */
  readonly ids: readonly string[]
  /** Those that were really sent: a repair leaves out a result that came twice. */
  readonly shownIds: readonly string[]
  readonly digest: string
  readonly revision: number
  readonly step: number
  readonly contextChanges: number
}

export interface CompactWish {
  readonly reading: Reading
  /** What its author says it held; null: the digest, and so exactly what was read. */
  readonly held: readonly string[] | null
  readonly keep: readonly string[]
  readonly summary: string
  readonly role: 'user' | 'assistant' | 'system'
  readonly forms: readonly { readonly message: string; readonly parts: readonly Part[] }[]
  readonly carrier: string | null
  /** Says that it knew of all changes since it read. */
  readonly isLateBase: boolean
}

/** A message as the model is sent it. */
export interface SentMessage extends Sent {
  readonly entry: Entry
}

export type CompactVerdict =
  | Exclude<Verdict, { readonly code: 'ok' }>
  | {
      /** Only the engine measures, so a summary may also be refused as no smaller. */
      readonly code: 'ok'
      readonly covered: readonly SentMessage[]
      readonly later: readonly SentMessage[]
      readonly apply: (answer: Pick<CompactAnswer, 'compaction' | 'kept'>) => void
    }

export function compact(world: World, namespace: Namespace, id: string, wish: CompactWish): CompactVerdict {
  const session = living(namespace, id)
  if (!isSession(session)) return session
  return decideCompaction(world, session, wish)
}

export function decideCompaction(world: World, session: Session, wish: CompactWish): CompactVerdict {
  const { reading } = wish
  if (isOver(session)) return refused('session-ended')
  if (!wish.isLateBase && session.contextChanges > reading.contextChanges) return refused('stale-compaction')
  const now = context(session)
  if (now.summary && !now.summary.inherited && reading.revision < now.summary.watermark)
    return refused('watermark-covered')
  const messages = now.sent.flatMap((one) => (one.entry ? [{ ...one, entry: one.entry }] : []))
  const had = new Set(reading.ids)
  const covered = messages.filter(
    ({ entry }) => entry.born <= reading.step && (had.has(entry.id) || entry.told <= reading.step),
  )
  const later = messages.filter((one) => !covered.includes(one))
  const held = new Set(wish.held ?? reading.ids)
  const known = new Set([...covered.map(({ id }) => id), ...(now.summary ? [now.summary.id] : [])])
  if (covered.some(({ id }) => !held.has(id)) || [...held].some((one) => !known.has(one))) return refused('not-held')
  return { code: 'ok', covered, later, apply: (answer) => summarise(world, session, wish, answer) }
}

function summarise(
  world: World,
  session: Session,
  { reading, summary, role, forms, carrier }: CompactWish,
  { compaction, kept: keptIds }: Pick<CompactAnswer, 'compaction' | 'kept'>,
): void {
  const over = session.entries.filter(
    ({ kind, born }) => (kind === 'message' || kind === 'note') && born <= reading.step,
  )
  const kept = new Set(over.filter((entry) => keptIds.includes(entry.id) || entry.grew > reading.step))
  const last = inSight(session).findLast((entry) => over.includes(entry) && isForModel(entry))
  if (last && isUnfinished(last)) kept.add(last)
  const unseen = new Set(over.filter((entry) => isHidden(session, entry)))
  const used = new Map(
    forms.flatMap(({ message, parts }) => {
      const entry = over.find(({ id }) => id === message)
      return entry && keptIds.includes(message) ? [[entry, parts] as const] : []
    }),
  )
  const carries = over.find(({ id }) => id === carrier)
  session.summaries.push({
    id: compaction,
    text: summary,
    role,
    over,
    covers: new Set(over.filter((entry) => isForModel(entry) && !kept.has(entry) && !unseen.has(entry))),
    kept,
    unseen,
    forms: used,
    carrier: carries && used.has(carries) ? carries : null,
    watermark: reading.revision,
    made: world.step,
    inherited: false,
    standing: true,
    undone: false,
  })
  session.entries.push(newEntry('compaction', compaction, world.step))
  session.contextChanges += 1
}

/** `compaction` null: the newest one that was not undone. */
export function undoCompaction(
  namespace: Namespace,
  id: string,
  { compaction }: { readonly compaction: string | null },
): Verdict<{ readonly compaction: string }> {
  const session = living(namespace, id)
  if (!isSession(session)) return session
  const own = session.summaries.filter((one) => !one.inherited && !one.undone)
  const meant = compaction === null ? own.at(-1) : own.find((one) => one.id === compaction)
  if (!meant) return refused('compaction-not-found')
  return {
    code: 'ok',
    answer: { compaction: meant.id },
    apply: () => {
      meant.undone = true
      meant.standing = false
      session.contextChanges += 1
    },
  }
}
