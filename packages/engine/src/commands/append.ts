import type { AnyRecorded, Blob } from '@refold/events'
import { inheritedStreams } from '../deciding/ancestry.ts'
import { claimOf, streamOf, type Desk } from '../deciding/desk.ts'
import type { Deciding, PlannedEvent } from '../deciding/plan.ts'
import { read, type Reading } from '../deciding/reading.ts'
import { checkRights } from '../deciding/rights.ts'
import { checkExpected } from '../deciding/session-command.ts'
import { tipOf, type SessionState } from '../deciding/session-state.ts'
import { refuse, type Refusal } from '../refusal.ts'
import { firstOutcome, segmentAt } from './first-append.ts'
import { eventIdOf, lookUp, platformNote, type Known } from './known-message.ts'
import { contentOfEncoded, type PreparedMessage } from './prepare-message.ts'
import { checkTurn } from './turn-events.ts'
import { usageOnce } from './usage-event.ts'
import type { CommandOptions } from './command-options.ts'

export interface AppendInput extends CommandOptions {
  /** Turn whose lease the append renews and under which its messages stand. */
  readonly turn?: string
  /** Reopens a session that was ended on purpose instead of being refused. */
  readonly reopen?: boolean
  /** Work that came by a route: refused when the route is at a newer generation meanwhile. */
  readonly route?: { readonly route: string; readonly generation: number }
  /** Revision up to which the caller has read; a session handle fills in its own. */
  readonly readUpTo?: number
}

export interface AppendAnswer {
  /** Messages written. */
  readonly appended: number
  /** Messages that were there before, in this session or in what it inherits. */
  readonly alreadyThere: number
  /** Ids of all messages of the batch, in its order. */
  readonly messages: readonly string[]
  /** Events of others between what the caller had read and this append. */
  readonly unread: number
  /** Id of the live segment, into which they went whatever id the session was called by. */
  readonly landedIn: string
}

export interface Append extends AppendInput {
  readonly messages: readonly PreparedMessage[]
  readonly blobs: readonly Blob[]
  /** Own events of the caller behind `readUpTo`. */
  readonly ownSince?: number
}

/** Adds messages at the session's live end: all or none, and what is there already left out and counted. */
export function* append(desk: Desk, session: string, input: Append): Deciding<AppendAnswer> {
  const stream = streamOf(desk, session)
  const state = yield* read.session(stream)
  if (state.session === null) return refuse('session-not-found', { name: session })
  const fresh = yield* freshMessages(desk, stream, state, input.messages)
  const mine = fresh.ok ? yield* firstOutcome(desk, stream, input.messages, fresh) : undefined
  if (mine && 'ok' in mine) return mine
  if (state.deleted && !mine) return refuse('session-deleted', { session })
  if (!fresh.ok) return fresh
  const { readUpTo, ownSince = 0 } = input
  const answerFor = (appended: number, revision: number, landedIn: string): AppendAnswer => ({
    appended,
    alreadyThere: input.messages.length - appended,
    messages: input.messages.map(({ event }) => event.data.id),
    unread: readUpTo === undefined ? 0 : Math.max(0, revision - readUpTo - ownSince),
    landedIn,
  })
  const plan = { ok: true, session, stream, revision: state.revision, blobs: input.blobs } as const
  if (mine) {
    const { appended, before, ...first } = mine
    const landedIn = yield* segmentAt(stream, state, first.revision)
    return { ...plan, appends: [], answer: answerFor(appended, before, landedIn), first }
  }
  if (fresh.events.length === 0) return { ...plan, appends: [], answer: answerFor(0, state.revision, tipOf(state)) }
  const refusal = yield* refusalToAppend(desk, stream, state, input)
  if (refusal) return refusal
  const events = [...(fresh.messages.length > 0 ? awakening(state) : []), ...fresh.events]
  const answer = answerFor(fresh.messages.length, state.revision, tipOf(state))
  return { ...plan, appends: [{ stream, expected: state.revision, events }], answer }
}

/** What stands in the way of new messages. */
function* refusalToAppend(
  desk: Desk,
  stream: string,
  state: SessionState,
  { turn, reopen, route }: AppendInput,
): Reading<Refusal | undefined> {
  const session = state.session ?? ''
  const { end } = state
  const common = checkExpected(desk, state) ?? (yield* checkRights(desk, session, 'append to'))
  if (common) return common
  if (end && end.class !== 'accident' && !reopen) return refuse('session-ended', { session, reason: end.reason })
  if (route) {
    const { taken, holder } = yield* read.claim(claimOf(desk, 'route', route.route))
    if (taken !== route.generation || holder !== session)
      return refuse('route-generation', { ...route, current: taken })
  }
  return yield* checkTurn(desk, stream, state, turn)
}

/** A message undoes an accident and wakes what only idled away; what a person archived stays archived. */
export function awakening({ end, archived }: SessionState): readonly PlannedEvent[] {
  const events: PlannedEvent[] = []
  if (end) events.push({ event: { type: 'Reopened', data: { why: end.class === 'accident' ? 'append' : 'person' } } })
  if (archived === 'idle') events.push({ event: { type: 'Unarchived', data: { by: 'activity' } } })
  return events
}

export interface Fresh {
  readonly ok: true
  /** Those not yet there. */
  readonly messages: readonly PreparedMessage[]
  readonly events: readonly PlannedEvent[]
  /** Those that are there, as first appended. */
  readonly known: readonly AnyRecorded[]
}

/** Leaves out what the session, what it inherits, or the batch itself holds already; refuses an id with other content. */
export function* freshMessages(
  desk: Desk,
  stream: string,
  state: SessionState,
  messages: readonly PreparedMessage[],
): Reading<Fresh | Refusal> {
  const inherited = yield* inheritedStreams(desk, state)
  const batch = new Map<string, PreparedMessage>()
  /** How far the batch itself brings each growing answer. */
  const grown = new Map<string, number>()
  const platforms = new Set<string>()
  const counted = new Set<string>()
  const fresh: PreparedMessage[] = []
  const events: PlannedEvent[] = []
  const there: AnyRecorded[] = []
  for (const message of messages) {
    const { data } = message.event
    const id = eventIdOf(desk, stream, data)
    const before = batch.get(id)
    const isThere =
      (data.partial ?? Infinity) < (grown.get(data.id) ?? 0) ||
      (data.partial === undefined && data.platformId !== undefined && platforms.has(data.platformId))
    const known: Known =
      before !== undefined
        ? { is: message.isPlatformsOwn || hasSameContent(before, message) ? 'there' : 'conflict' }
        : isThere
          ? { is: 'there' }
          : yield* lookUp(desk, { state, stream, inherited }, message)
    if (known.is === 'conflict') return refuse('message-conflict', { session: state.session ?? '', messageId: data.id })
    if (known.is === 'there' && known.event) there.push(known.event)
    if (known.is === 'new') {
      fresh.push(message)
      events.push(
        { event: message.event, id, encoded: message.encoded },
        ...(yield* platformNote(desk, stream, message)),
      )
      if (data.platformId !== undefined && data.partial === undefined) platforms.add(data.platformId)
      batch.set(id, message)
      grown.set(data.id, data.partial ?? Infinity)
    }
    if (message.usage && !counted.has(message.usage.data.key)) {
      counted.add(message.usage.data.key)
      events.push(...(yield* usageOnce(desk, stream, message.usage)))
    }
  }
  return { ok: true, messages: fresh, events, known: there }
}

const hasSameContent = (one: PreparedMessage, other: PreparedMessage): boolean =>
  contentOfEncoded(one.encoded) === contentOfEncoded(other.encoded)
