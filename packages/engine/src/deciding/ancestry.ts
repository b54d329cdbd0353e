import { isKnown, messageEventId, partialEventId, type AnyRecorded, type Cut, type MessageRef } from '@refold/events'
import { streamOf, type Desk } from './desk.ts'
import { read, type Reading } from './reading.ts'
import type { SessionState } from './session-state.ts'

/** Events read at once in search of a text. */
const PAGE = 200

/** How much of a stream a session shows as its own beginning. */
export interface InheritedStream {
  readonly session: string
  readonly stream: string
  /** Last revision at which anything of it counts. */
  readonly asOf: number
  /**
   * The last message shown, and where it first appeared: what appeared later is left out. Null where that lies further up: then
   * only what the stream says of answers that it inherited itself counts.
   */
  readonly through: { readonly message: string; readonly revision: number } | null
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
    const isHere: boolean = through.session === session
    streams.push({ session, stream, asOf: cut.asOf, through: isHere ? through : null })
    pending = isHere ? null : through
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
  for (const [place, { session, stream }] of streams.entries()) {
    const event = yield* findOwn(desk, stream, id)
    if (event && (yield* isShown(streams.slice(place), id, event))) return { session, event }
  }
  return undefined
}

/** Looks for one text of a growing answer that the session inherits. */
export function* findInheritedPartial(
  desk: Desk,
  streams: readonly InheritedStream[],
  id: string,
  partial: number,
): Reading<AnyRecorded | undefined> {
  for (const [place, { stream }] of streams.entries()) {
    const event = yield* read.find(stream, partialEventId(desk.sha256, stream, id, partial))
    if (event && (yield* isShown(streams.slice(place), id, event))) return event
  }
  return undefined
}

/** Looks for a text of a growing answer that is not complete, in the session or in what it inherits. */
export function* findPartial(desk: Desk, state: SessionState, id: string): Reading<FoundMessage | undefined> {
  const number = state.partials.get(id)
  if (number !== undefined && state.session !== null) {
    const stream = streamOf(desk, state.session)
    const event = yield* read.find(stream, partialEventId(desk.sha256, stream, id, number))
    if (event) return { session: state.session, event }
  }
  return yield* findGrowing(desk, yield* inheritedStreams(desk, state), id)
}

/** The same of what is inherited. Whether it grows on or was completed since, its origin knows without a look back. */
export function* findGrowing(
  desk: Desk,
  streams: readonly InheritedStream[],
  id: string,
): Reading<FoundMessage | undefined> {
  for (const [place, { stream }] of streams.entries()) {
    const { partials }: SessionState = yield* read.session(stream)
    if (!partials.has(id) && !(yield* findOwn(desk, stream, id))) continue
    const found = yield* beganIn(streams.slice(place), id)
    if (found) return found
  }
  return undefined
}

/**
 * Whether an event of a message counts, in the first of these streams. A growing answer first appears before its later
 * texts, so that these may stand behind the last message shown, up to the cut.
 */
function* isShown(streams: readonly InheritedStream[], id: string, { revision }: AnyRecorded): Reading<boolean> {
  const [nearest] = streams
  if (!nearest || revision > nearest.asOf) return false
  return revision <= endOf(nearest, id) || (yield* beganIn(streams, id)) !== undefined
}

/**
 * A text of a growing answer among what is shown. Looks back through the log, mostly not far: only for an answer that has
 * a text behind the last message shown.
 */
function* beganIn(streams: readonly InheritedStream[], id: string): Reading<FoundMessage | undefined> {
  for (const inherited of streams) {
    const { session, stream } = inherited
    for (let from = endOf(inherited, id); from >= 0; from -= PAGE)
      for (const event of yield* read.events(stream, { from, limit: PAGE, backwards: true }))
        if (isKnown(event) && event.type === 'MessageAppended' && event.data.id === id) return { session, event }
  }
  return undefined
}

/** Last revision at which a message that appears there is shown. */
function endOf({ asOf, through }: InheritedStream, id: string): number {
  if (through === null) return -1
  return id === through.message ? asOf : Math.min(asOf, through.revision)
}
