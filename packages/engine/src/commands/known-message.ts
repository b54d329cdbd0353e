import {
  isKnown,
  messageEventId,
  partialEventId,
  platformMessageId,
  type AnyRecorded,
  type EncodedEvent,
  type MessageAppended,
  type Noted,
} from '@refold/events'
import {
  findGrowing,
  findInherited,
  findInheritedPartial,
  findOwn,
  type InheritedStream,
} from '../deciding/ancestry.ts'
import type { Desk } from '../deciding/desk.ts'
import type { PlannedEvent } from '../deciding/plan.ts'
import { read, type Reading } from '../deciding/reading.ts'
import type { SessionState } from '../deciding/session-state.ts'
import { contentOf, contentOfEncoded, type PreparedMessage } from './prepare-message.ts'

/** What the log holds of a message that somebody sends (again); `event`: as it was first appended. */
export type Known =
  | { readonly is: 'new' }
  | { readonly is: 'there'; readonly event?: AnyRecorded }
  | { readonly is: 'conflict' }

const NEW: Known = { is: 'new' }
const CONFLICT: Known = { is: 'conflict' }

/** Kind of the note that leads from a platform's id to the message that carries it under another id. */
export const PLATFORM_NOTE = 'platform-id'

/** Whether a message is in the session already, or in what the session inherits. */
export function* lookUp(
  desk: Desk,
  {
    state,
    stream,
    inherited,
  }: { readonly state: SessionState; readonly stream: string; readonly inherited: readonly InheritedStream[] },
  { event, encoded, isPlatformsOwn }: PreparedMessage,
): Reading<Known> {
  const { id, partial, platformId } = event.data
  const found = yield* findUnder(desk, stream, inherited, id, isPlatformsOwn)
  if (found) {
    // What comes late of a growing answer is there, and was perhaps this text of it.
    if (partial !== undefined)
      return {
        is: 'there',
        event: (yield* read.find(stream, partialEventId(desk.sha256, stream, id, partial))) ?? found,
      }
    // The platform's id is a key: what came under it first stands, whatever comes under it later.
    if (isPlatformsOwn) return { is: 'there', event: found }
    return yield* compare(found, encoded)
  }
  if (platformId !== undefined && !isPlatformsOwn) {
    const derived = platformMessageId(desk.sha256, platformId)
    const other = yield* findUnder(desk, stream, inherited, derived, true)
    if (other && messageOf(other) !== id) return { is: 'there', event: other }
  }
  if (partial === undefined) return NEW
  const before = yield* findInheritedPartial(desk, inherited, id, partial)
  if (before) return yield* compare(before, encoded)
  // A branch goes on with an answer that it inherits unfinished: numbers are compared among its own texts only.
  const highest = state.partials.get(id)
  if (highest === undefined || partial > highest) return NEW
  const same = yield* read.find(stream, partialEventId(desk.sha256, stream, id, partial))
  return same ? yield* compare(same, encoded) : { is: 'there' }
}

/** What stands under an id in the session or in what it inherits. `isKey`: a platform's, so that a note may lead from it. */
function* findUnder(
  desk: Desk,
  stream: string,
  inherited: readonly InheritedStream[],
  id: string,
  isKey: boolean,
): Reading<AnyRecorded | undefined> {
  const found = (yield* findOwn(desk, stream, id)) ?? (yield* findInherited(desk, inherited, id))?.event
  if (found || !isKey) return found
  // A note stands behind its message, so that of the last message inherited stands behind the cut.
  for (const [place, origin] of inherited.entries()) {
    const note = yield* findOwn(desk, origin.stream, id)
    const message = note && note.revision <= origin.asOf ? messageOf(note) : undefined
    if (message === undefined) continue
    const behind = inherited.slice(place)
    if ((yield* findInherited(desk, behind, message)) ?? (yield* findGrowing(desk, behind, message))) return note
  }
  return undefined
}

/** Message that a note of a platform's id leads to. A growing answer leaves the note with its first text. */
function messageOf(note: AnyRecorded): string | undefined {
  if (!isKnown(note) || note.type !== 'Noted') return undefined
  const { data } = note.data
  const isNote = typeof data === 'object' && data !== null && 'message' in data
  return isNote && typeof data['message'] === 'string' ? data['message'] : undefined
}

/** Event id of a message, complete or growing. */
export function eventIdOf(desk: Desk, stream: string, { id, partial }: MessageAppended['data']): string {
  return partial === undefined
    ? messageEventId(desk.sha256, stream, id)
    : partialEventId(desk.sha256, stream, id, partial)
}

/** Makes the platform's id findable where the message has another id: one look-up, whatever the session's length. */
export function* platformNote(
  desk: Desk,
  stream: string,
  { event, isPlatformsOwn }: Pick<PreparedMessage, 'event' | 'isPlatformsOwn'>,
): Reading<readonly PlannedEvent[]> {
  const { id, platformId } = event.data
  if (platformId === undefined || isPlatformsOwn) return []
  const derived = platformMessageId(desk.sha256, platformId)
  if (derived === id) return []
  const eventId = messageEventId(desk.sha256, stream, derived)
  if (yield* read.find(stream, eventId)) return [] // a growing answer left it there
  const note: Noted = {
    type: 'Noted',
    data: { note: derived, kind: PLATFORM_NOTE, shownTo: 'none', data: { message: id, platformId } },
  }
  return [{ event: note, id: eventId }]
}

/** Content counts as first appended; what was redacted or purged since counts as the same and stays as it is. */
function* compare(found: AnyRecorded, encoded: EncodedEvent): Reading<Known> {
  if (!isKnown(found) || found.type !== 'MessageAppended') return { is: 'there', event: found }
  if (contentOf(found.data) === contentOfEncoded(encoded)) return { is: 'there', event: found }
  for (const revision of (yield* read.session(found.stream)).redactions) {
    const [redaction] = yield* read.events(found.stream, { from: revision, limit: 1 })
    if (!redaction || !isKnown(redaction) || redaction.type !== 'Redacted') continue
    if (redaction.data.targets.some(({ eventId }) => eventId === found.id)) return { is: 'there', event: found }
  }
  return CONFLICT
}
