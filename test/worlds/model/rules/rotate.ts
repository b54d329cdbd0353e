import type { RotateAnswer } from '@refold/engine'
import { newEntry } from '../entry.ts'
import { isOver, tipOf } from '../session.ts'
import { isSession, living, refused, type Namespace, type Verdict, type World } from '../world.ts'
import { awake, isLost, sortOut, write, type Said } from './append.ts'

export interface RotateWish {
  readonly from: string
  readonly segment: string
  readonly pending: readonly Said[]
  readonly turn: string | null
}

/** A new segment of the same session; what was pending stands before it. */
export function rotate(world: World, namespace: Namespace, id: string, wish: RotateWish): Verdict<RotateAnswer> {
  const session = living(namespace, id)
  if (!isSession(session)) return session
  const { from, segment, pending, turn } = wish
  if (isOver(session)) return refused('session-ended')
  if (!session.segments.includes(from)) return refused('segment-not-found')
  if (from !== tipOf(session)) return refused('already-rotated')
  if (isLost(session, turn)) return refused('turn-lost')
  const sorted = sortOut(session, pending)
  if (sorted === 'conflict') return refused('message-conflict')
  if (namespace.ids.has(segment)) return refused('id-taken')
  const appended = sorted.filter(({ isNew }) => isNew).length
  return {
    code: 'ok',
    answer: { segment, appended, alreadyThere: sorted.length - appended, compaction: null },
    apply: () => {
      awake(world, session)
      write(world, session, sorted, [], turn)
      session.entries.push(newEntry('rotation', segment, world.step))
      session.segments.push(segment)
      namespace.ids.set(segment, id)
      session.contextChanges += 1
    },
  }
}
