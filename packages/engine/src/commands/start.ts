import type { Blob, Origin, SessionEvent, SessionStarted, Text } from '@refold/events'
import { claim } from '../claims.ts'
import { derivedId, streamOf, type Desk } from '../deciding/desk.ts'
import type { Deciding, PlannedEvent, StreamPlan } from '../deciding/plan.ts'
import { read, type Reading } from '../deciding/reading.ts'
import { checkRights } from '../deciding/rights.ts'
import { firstEvents } from '../deciding/session-command.ts'
import { refuse, type Refusal } from '../refusal.ts'
import { endDelegates, endsAnew } from './end.ts'
import { moveRoutes } from './move-routes.ts'
import { claimNewTitle } from './title-claim.ts'
import type { TitleAuthor } from '@refold/events'
import type { CommandOptions } from './command-options.ts'

export interface StartInput extends Omit<CommandOptions, 'expect'> {
  /** 1 to 200 characters, unique for ever in the namespace among sessions and segments. Absent: a new one. */
  readonly id?: string
  readonly title?: string
  /** Whose title it is; a person's where absent. */
  readonly titleBy?: TitleAuthor
  /** The session that begins anew here; it ends with class `reset` in the same append, and its routes move along. */
  readonly resetOf?: string
  /** The session that this one works for; as `spawn` there. */
  readonly delegateOf?: string
  readonly task?: string
  readonly toolCallId?: string
  readonly surface?: string
  readonly workspace?: string
  readonly model?: string
  readonly systemPrompt?: string
  /** When it began by its own account, epoch milliseconds. */
  readonly at?: number
}

export interface Start extends Omit<StartInput, 'systemPrompt' | 'delegateOf' | 'task' | 'toolCallId'> {
  readonly systemPrompt?: Text
  readonly blobs: readonly Blob[]
}

/** Starts a root session, or one in which a conversation begins anew (`resetOf`). */
export function* start(desk: Desk, input: Start): Deciding<object> {
  const session = input.id ?? derivedId(desk, 'session')
  const { resetOf } = input
  const origin: Origin = resetOf === undefined ? { kind: 'root' } : { kind: 'reset', session: resetOf }
  const begun = yield* beginSession(desk, { ...input, id: session, origin })
  if (!begun.ok || begun.first) return begun
  if (resetOf === undefined) return begun
  const reset = yield* resetPeer(desk, resetOf, session)
  if ('ok' in reset) return reset
  const appends = begun.appends.map((plan) =>
    plan.stream === begun.stream ? { ...plan, events: [...plan.events, ...reset.events] } : plan,
  )
  return { ...begun, appends: [...appends, ...reset.appends] }
}

export interface Beginning extends Pick<StartInput, 'title' | 'titleBy' | 'surface' | 'workspace' | 'model' | 'at'> {
  readonly id: string
  readonly origin: Origin
  readonly systemPrompt?: Text
  readonly blobs?: readonly Blob[]
}

/** The first events of a new session, its id and title claimed; its first outcome when this command started it before. */
export function* beginSession(desk: Desk, beginning: Beginning): Deciding<{ readonly title: string | null }> {
  const { id: session, origin, title, titleBy = 'person', systemPrompt, blobs = [] } = beginning
  const stream = streamOf(desk, session)
  const first = yield* firstEvents(desk, stream)
  if (first[0]) {
    if (first[0].type !== 'SessionStarted')
      return refuse('key-reused', { session, key: desk.key, found: first[0].type })
    const renamed = first.find((event) => event.type === 'Renamed')
    const told = { revision: first.at(-1)?.revision ?? 0, events: first.map((event) => event.type) }
    const answer = { title: renamed?.data.title ?? null }
    return { ok: true, session, stream, revision: told.revision, appends: [], answer, first: told }
  }
  const taken = yield* claim(desk, 'id', session, session)
  const head = yield* read.head(stream)
  if (!taken.free || head) return refuse('id-taken', { id: session, holder: taken.free ? session : taken.holder })
  const titled = title === undefined ? null : yield* claimNewTitle(desk, title, titleBy, session)
  if (titled && 'ok' in titled) return titled
  const events: SessionEvent[] = [startedEvent(beginning)]
  if (titled) events.push({ type: 'Renamed', data: { title: titled.title, by: titleBy } })
  if (systemPrompt !== undefined)
    events.push({ type: 'SettingChanged', data: { key: 'system-prompt', value: systemPrompt } })
  const own: StreamPlan = { stream, expected: 'no-stream', events: events.map((event): PlannedEvent => ({ event })) }
  const appends = [...taken.appends, ...(titled?.appends ?? []), own]
  return { ok: true, session, stream, revision: -1, appends, blobs, answer: { title: titled?.title ?? null } }

  function startedEvent({ surface, workspace, model, at }: Beginning): SessionStarted {
    return {
      type: 'SessionStarted',
      data: {
        session,
        origin,
        ...(surface === undefined ? {} : { surface }),
        ...(workspace === undefined ? {} : { workspace }),
        ...(model === undefined ? {} : { model }),
        ...(at === undefined ? {} : { at }),
      },
    }
  }
}

/** The session that is left behind ends with class reset, its delegates too, and its routes lead to the new one. */
function* resetPeer(
  desk: Desk,
  left: string,
  session: string,
): Reading<{ readonly events: readonly PlannedEvent[]; readonly appends: readonly StreamPlan[] } | Refusal> {
  const stream = streamOf(desk, left)
  const state = yield* read.session(stream)
  if (state.session === null) return refuse('session-not-found', { name: left })
  if (state.deleted) return refuse('session-deleted', { session: left })
  const refusal = yield* checkRights(desk, left, 'reset')
  if (refusal) return refusal
  const ends = endsAnew(state, 'reset')
  const end: readonly PlannedEvent[] = ends
    ? [{ event: { type: 'Ended', data: { reason: 'reset', class: 'reset' } } }]
    : []
  const moved = yield* moveRoutes(desk, state, session)
  const events = [...moved.left, ...end]
  const delegates = ends ? yield* endDelegates(desk, state, 'reset') : []
  const own: StreamPlan = { stream, expected: state.revision, events }
  return { events: moved.gained, appends: [...moved.appends, own, ...delegates] }
}
