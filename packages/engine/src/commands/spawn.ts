import type { Blob, Text } from '@refold/events'
import { derivedId, streamOf, type Desk } from '../deciding/desk.ts'
import type { Deciding, StreamPlan } from '../deciding/plan.ts'
import { read } from '../deciding/reading.ts'
import { checkRights } from '../deciding/rights.ts'
import { checkExpected, firstEvents } from '../deciding/session-command.ts'
import { refuse } from '../refusal.ts'
import { beginSession } from './start.ts'
import type { CommandOptions } from './command-options.ts'

export interface SpawnInput extends CommandOptions {
  readonly id?: string
  readonly task?: string
  readonly toolCallId?: string
  readonly title?: string
  readonly surface?: string
  readonly workspace?: string
  readonly model?: string
}

export interface Spawn extends Omit<SpawnInput, 'task'> {
  readonly task?: Text
  readonly blobs: readonly Blob[]
}

/** Starts a session that works for this one: the parent's event first, then the child's start, in one append. */
export function* spawn(desk: Desk, parent: string, input: Spawn): Deciding<{ readonly parent: string }> {
  const stream = streamOf(desk, parent)
  const state = yield* read.session(stream)
  if (state.session === null) return refuse('session-not-found', { name: parent })
  const session = input.id ?? derivedId(desk, 'session')
  const begun = yield* beginSession(desk, {
    ...input,
    id: session,
    origin: { kind: 'delegate', session: parent },
    ...(input.workspace === undefined && state.workspace !== null ? { workspace: state.workspace } : {}),
    ...(input.model === undefined && state.model !== null ? { model: state.model } : {}),
  })
  const [spawned] = yield* firstEvents(desk, stream)
  if (begun.ok && begun.first && spawned?.type === 'DelegateSpawned') return { ...begun, answer: { parent } }
  if (spawned) return refuse('key-reused', { session: parent, key: desk.key, found: spawned.type })
  if (state.deleted) return refuse('session-deleted', { session: parent })
  if (state.end && state.end.class !== 'accident')
    return refuse('session-ended', { session: parent, reason: state.end.reason })
  const refusal = checkExpected(desk, state) ?? (yield* checkRights(desk, parent, 'spawn for'))
  if (refusal) return refusal
  if (!begun.ok) return begun
  const { task, toolCallId } = input
  const data = {
    session,
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(task === undefined ? {} : { task }),
  }
  const own: StreamPlan = { stream, expected: state.revision, events: [{ event: { type: 'DelegateSpawned', data } }] }
  return { ...begun, appends: [own, ...begun.appends], blobs: input.blobs, answer: { parent } }
}
