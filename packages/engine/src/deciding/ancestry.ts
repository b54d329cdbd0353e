import { messageEventId, partialEventId, type AnyRecorded, type Cut, type MessageRef } from '@refold/events'
import { streamOf, type Desk } from './desk.ts'
import { read, type Reading } from './reading.ts'
import type { SessionState } from './session-state.ts'

/** How much of a stream a session shows as its own beginning. */
export interface InheritedStream {
  readonly session: string
  readonly stream: string
  /** Last revision at which anything of it counts. */
  readonly asOf: number
  /** The last message shown, and where it first appeared: what appeared later is left out. */
  readonly through: { readonly message: string; readonly revision: number }
}

/** The streams that a branch or stray begins with, nearest first, through all its ancestors. Safe on circles. */
export function* inheritedStreams(desk: Desk, state: SessionState): Reading<readonly InheritedStream[]> {
  const streams: InheritedStream[] = []
  const seen = new Set([state.session])
  let origin = state.origin
  /** Set while the last message shown lies further up than the origin at hand. */
  let pending: MessageRef | null = null
  while (origin?.kind === 'branch' || origin?.kind === 'stray') {
    const { session, cut }: { readonly session: string; readonly cut: Cut } = origin
    if (seen.has(session)) break
    seen.add(session)
    const through: MessageRef | null = pending ?? cut.through
    if (through === null) break
    const stream = streamOf(desk, session)
    if (through.session === session) {
      streams.push({ session, stream, asOf: cut.asOf, through })
      pending = null
    } else pending = through
    const next: SessionState = yield* read.session(stream)
    origin = next.origin
  }
  return streams
}

/** A message of a session, its own or inherited, as first appended. */
export interface FoundMessage {
  readonly session: string
  readonly event: AnyRecorded
}

/** Looks for the complete message with this id. */
export function* findMessage(desk: Desk, state: SessionState, id: string): Reading<FoundMessage | undefined> {
  const session = state.session ?? ''
  const own = yield* findOwn(desk, streamOf(desk, session), id)
  if (own) return { session, event: own }
  return yield* findInherited(desk, yield* inheritedStreams(desk, state), id)
}

export function* findOwn(desk: Desk, stream: string, id: string): Reading<AnyRecorded | undefined> {
  return yield* read.find(stream, messageEventId(desk.sha256, stream, id))
}

export function* findInherited(
  desk: Desk,
  streams: readonly InheritedStream[],
  id: string,
): Reading<FoundMessage | undefined> {
  for (const { session, stream, asOf, through } of streams) {
    const event = yield* findOwn(desk, stream, id)
    // A growing answer first appears before its completing event, so the last message itself may stand behind the cut.
    const last = id === through.message ? asOf : Math.min(asOf, through.revision)
    if (event && event.revision <= last) return { session, event }
  }
  return undefined
}

/** Looks for a growing answer's newest text, while it is not complete. */
export function* findPartial(desk: Desk, state: SessionState, id: string): Reading<FoundMessage | undefined> {
  const number = state.partials.get(id)
  if (number === undefined || state.session === null) return undefined
  const stream = streamOf(desk, state.session)
  const event = yield* read.find(stream, partialEventId(desk.sha256, stream, id, number))
  return event && { session: state.session, event }
}
