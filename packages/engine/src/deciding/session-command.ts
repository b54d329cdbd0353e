import {
  commandEventId,
  isKnown,
  messageEventId,
  type Blob,
  type EventType,
  type Recorded,
  type SessionEvent,
} from '@refold/events'
import { refuse, type Refusal } from '../refusal.ts'
import { derivedMessageId, streamOf, type Desk } from './desk.ts'
import type { Deciding, PlannedEvent, StreamPlan } from './plan.ts'
import { read, type Reading } from './reading.ts'
import { checkRights } from './rights.ts'
import type { SessionState } from './session-state.ts'

/** What a command decided to write and answer. */
export interface Decided<X extends object> {
  readonly events: readonly (SessionEvent | PlannedEvent)[]
  readonly answer: X
  /** Into other streams, before and after the session's own events. */
  readonly before?: readonly StreamPlan[]
  readonly after?: readonly StreamPlan[]
  readonly blobs?: readonly Blob[]
}

/** A command on one session that is there. Most decide by the session's state alone, some look further into the log. */
export type SessionCommand<X extends object> = CommandFrame<X> &
  (
    | { readonly decide: (state: SessionState, stream: string) => Decided<X> | Refusal }
    | { readonly lookAndDecide: (state: SessionState, stream: string) => Reading<Decided<X> | Refusal> }
  )

interface CommandFrame<X extends object> {
  /** A verb, for messages. */
  readonly name: string
  /** Types that its first event may have: under its key, any other means that the key was used before. */
  readonly writes: readonly EventType[]
  /** Whether its first event says what this command wants; absent: any of those types does. */
  readonly isSame?: (first: Recorded) => boolean
  /** Id of its first event, where that does not derive from the key. */
  readonly firstEventId?: (stream: string) => string
  /** A delegate may do it to the session it works for. */
  readonly openToDelegates?: boolean
  readonly onDeleted?: boolean
  /** What it answered the first time, from the events it wrote then. */
  readonly again: (events: readonly Recorded[], state: SessionState) => X | Reading<X>
  /** Events it wrote then beside those under its key; none where absent. */
  readonly alongside?: (first: readonly Recorded[], state: SessionState, stream: string) => Reading<readonly Recorded[]>
}

/** Nothing to write: everything is as asked already. */
export function nothing<X extends object>(answer: X): Decided<X> {
  return { events: [], answer }
}

/** Decides a command: its first outcome where it was carried out before, the refusals common to all, then its own rule. */
export function* decideOn<X extends object>(desk: Desk, session: string, command: SessionCommand<X>): Deciding<X> {
  const stream = streamOf(desk, session)
  const state = yield* read.session(stream)
  if (state.session === null) return refuse('session-not-found', { name: session })
  const first = yield* firstEvents(desk, stream, command.firstEventId?.(stream))
  const [found] = first
  if (found) {
    if (!command.writes.includes(found.type) || command.isSame?.(found) === false)
      return refuse('key-reused', { session, key: desk.key, found: found.type })
    const others = command.alongside ? yield* command.alongside(first, state, stream) : []
    const all = [...first, ...others].sort((a, b) => a.revision - b.revision)
    const told = { revision: all.at(-1)?.revision ?? found.revision, events: all.map((event) => event.type) }
    const again = command.again(all, state)
    const answer = isReading(again) ? yield* again : again
    return { ok: true, session, stream, revision: state.revision, appends: [], answer, first: told }
  }
  const other = yield* otherUse(desk, stream)
  if (other) return refuse('key-reused', { session, key: desk.key, found: other.type })
  if (state.deleted && !command.onDeleted) return refuse('session-deleted', { session })
  const refusal =
    checkExpected(desk, state) ??
    (command.openToDelegates ? undefined : yield* checkRights(desk, session, command.name))
  if (refusal) return refusal
  const decided = 'decide' in command ? command.decide(state, stream) : yield* command.lookAndDecide(state, stream)
  if ('ok' in decided) return decided
  const { answer, before = [], after = [], blobs = [] } = decided
  const events = decided.events.map((planned) => ('event' in planned ? planned : { event: planned }))
  const own: StreamPlan = { stream, expected: state.revision, events }
  return { ok: true, session, stream, revision: state.revision, appends: [...before, own, ...after], blobs, answer }
}

export function checkExpected({ expect }: Desk, { session, revision }: SessionState): Refusal | undefined {
  if (expect === undefined || expect === revision) return undefined
  return refuse('moved-on', { session: session ?? '', expected: expect, actual: revision })
}

/** The events that this very command wrote into the stream before; empty when it is new. */
export function* firstEvents(desk: Desk, stream: string, firstId?: string): Reading<readonly Recorded[]> {
  const events: Recorded[] = []
  if (firstId !== undefined) {
    const event = yield* read.find(stream, firstId)
    if (!event || !isKnown(event)) return []
    events.push(event)
  }
  for (let index = 0; ; index += 1) {
    const event = yield* read.find(stream, commandEventId(desk.sha256, stream, desk.key, index))
    if (!event || !isKnown(event)) return events
    events.push(event)
  }
}

/**
 * What another command wrote under this key. Found where ids derive from the key: those of its events, or of a message that
 * was given none. A command whose events have ids of their own (messages with ids, turns, reports, usage) leaves nothing here.
 */
export function* otherUse(desk: Desk, stream: string): Reading<Recorded | undefined> {
  if (!desk.keyIsGiven) return undefined
  const ids = [
    commandEventId(desk.sha256, stream, desk.key, 0),
    messageEventId(desk.sha256, stream, derivedMessageId(desk.sha256, desk.key, 0)),
  ]
  for (const id of ids) {
    const event = yield* read.find(stream, id)
    if (event && isKnown(event)) return event
  }
  return undefined
}

function isReading<X extends object>(answer: X | Reading<X>): answer is Reading<X> {
  return Symbol.iterator in answer
}
