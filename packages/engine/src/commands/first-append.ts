import {
  isKnown,
  messageEventId,
  parseSessionStream,
  platformMessageId,
  type AnyRecorded,
  type Recorded,
} from '@refold/events'
import type { Desk } from '../deciding/desk.ts'
import { read, type Reading } from '../deciding/reading.ts'
import { firstEvents, otherUse } from '../deciding/session-command.ts'
import { tipOf, type SessionState } from '../deciding/session-state.ts'
import { refuse, type Refusal } from '../refusal.ts'
import type { Fresh } from './append.ts'
import type { PreparedMessage } from './prepare-message.ts'
import { usageEventId } from './usage-event.ts'

/** Events read at once in search of a rotation. */
const PAGE = 200

export interface FirstOutcome {
  readonly revision: number
  readonly events: readonly string[]
  readonly appended: number
  /** The session's revision before it. */
  readonly before: number
}

/** What this very command wrote the first time: those events name its key as their cause. Refused where the key was another's. */
export function* firstOutcome(
  desk: Desk,
  stream: string,
  messages: readonly PreparedMessage[],
  { known, events }: Fresh,
): Reading<FirstOutcome | Refusal | undefined> {
  if (!desk.keyIsGiven) return undefined
  const mine = yield* writtenBefore(desk, stream, messages, known)
  const [found] = mine.length === 0 ? [yield* otherUse(desk, stream)] : events.length > 0 ? mine : []
  // A cause of the caller's own may be that of many commands; a key is that of one.
  if (found && (mine.length === 0 || desk.cause === desk.key)) return refusalForKey(desk, found)
  if (mine.length === 0 || events.length > 0) return undefined
  const all = [...(yield* firstEvents(desk, stream)), ...mine].sort((a, b) => a.revision - b.revision)
  return {
    revision: all.at(-1)?.revision ?? 0,
    events: all.map((event) => event.type),
    appended: mine.filter(({ type }) => type === 'MessageAppended').length,
    before: (all[0]?.revision ?? 0) - 1,
  }
}

const refusalForKey = ({ key }: Desk, { stream, type }: Recorded): Refusal =>
  refuse('key-reused', { session: parseSessionStream(stream)?.session ?? '', key, found: type })

/** The live segment at a revision. Looks forward from there to the next rotation, where there was one since. */
export function* segmentAt(stream: string, state: SessionState, revision: number): Reading<string> {
  const { contextChange } = state
  if (state.segments.length < 2 || contextChange === null || contextChange.revision < revision) return tipOf(state)
  for (let from = revision + 1; from <= state.revision; from += PAGE)
    for (const event of yield* read.events(stream, { from, limit: PAGE }))
      if (isKnown(event) && event.type === 'Rotated') return event.data.from
  return tipOf(state)
}

/** Messages of this very command that are there already, with the notes of platform ids and the usage that came with them. */
export function* writtenBefore(
  desk: Desk,
  stream: string,
  messages: readonly PreparedMessage[],
  known: readonly AnyRecorded[],
): Reading<readonly Recorded[]> {
  const found = new Map(known.map((event) => [event.id, event]))
  for (const { event, isPlatformsOwn, usage } of messages) {
    const { platformId } = event.data
    const note = platformId === undefined || isPlatformsOwn ? undefined : platformMessageId(desk.sha256, platformId)
    const beside = [
      ...(note === undefined ? [] : [messageEventId(desk.sha256, stream, note)]),
      ...(usage ? [usageEventId(desk, stream, usage.data.key)] : []),
    ]
    for (const id of beside) {
      const there = yield* read.find(stream, id)
      if (there) found.set(id, there)
    }
  }
  return [...found.values()]
    .filter(isKnown)
    .filter((event) => event.stream === stream && event.causationId === desk.cause)
}
