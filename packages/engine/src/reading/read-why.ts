import { sessionStream, type EventRef } from '@refold/events'
import {
  absences,
  auditLine,
  heirsOf,
  lookupMessage,
  placeOfMessage,
  whyMessage,
  type Absence,
  type EntryPlace,
  type FoundMessage,
  type Heir,
  type TableReaders,
  type Touch,
} from '@refold/projections'
import type { ContextView } from '../answers/context-view.ts'
import type { ContextSight, MessageTouch, TranscriptSight, WhyView } from '../answers/why-view.ts'
import { refuse, type MessageCandidate, type Refusal } from '../refusal.ts'
import { planContext, writeContext, type PlannedContext } from './read-context.ts'
import type { ReadingPlace } from './reading-side.ts'
import { rewindsOf, sessionOf, sightOfAbsent } from './sight-of-absent.ts'
import { suggestMessages } from './suggest-messages.ts'

/** All that rows say of a message, read at one moment. */
interface Asked {
  readonly revision: number
  readonly role: string | null
  readonly found: FoundMessage
  readonly touches: readonly Touch[]
  readonly place: EntryPlace
  readonly planned: PlannedContext
  readonly absence: Absence
  readonly heirs: readonly Heir[]
}

/** What touched one message or note, and where it is shown now. */
export async function readWhy(place: ReadingPlace, session: string, message: string): Promise<WhyView | Refusal> {
  const { namespace, views } = place
  const stream = sessionStream({ namespace, session })
  const asked = await views.read(
    (rows) => ask(rows, stream, message) ?? suggestMessages(rows, namespace, stream, message),
  )
  if (isSuggestion(asked)) return refuse('message-not-found', { session, messageId: message, candidates: asked })
  const { found, revision, role, touches, planned, heirs } = asked
  const context = await writeContext(place, planned)
  return {
    session,
    revision,
    message,
    kind: found.kind,
    role,
    inheritedFrom: found.inherited ? sessionOf(found.first) : null,
    events: await describe(place, touches),
    transcript: transcriptSight(asked.place, found),
    context: contextSight(asked, context),
    heirs,
  }
}

const isSuggestion = (answer: Asked | readonly MessageCandidate[]): answer is readonly MessageCandidate[] =>
  Array.isArray(answer)

function ask(rows: TableReaders, stream: string, message: string): Asked | undefined {
  const found = lookupMessage(rows, stream, message)
  const place = found && placeOfMessage(rows, stream, found.kind, message)
  const touches = whyMessage(rows, stream, message)
  if (!found || !place || !touches) return undefined
  return {
    revision: rows.transcripts.get(stream)?.revision ?? -1,
    role: rows.entries.find('id', found.first.stream, found.kind, message)?.role ?? null,
    found,
    touches,
    place,
    planned: planContext(rows, stream, undefined),
    absence: absences(rows, stream)(found.kind, message),
    heirs: heirsOf(rows, stream, found),
  }
}

async function describe({ store }: ReadingPlace, touches: readonly Touch[]): Promise<readonly MessageTouch[]> {
  const events = await store.readEvents(touches)
  return touches.flatMap(({ stream, ...touch }, index) => {
    const event = events[index]
    if (!event) return []
    const { position, at, type, what } = auditLine(event)
    return [{ session: sessionOf({ stream }), ...touch, position, at, actor: event.actor, type, what }]
  })
}

function transcriptSight(place: EntryPlace, { failed, partial }: FoundMessage): TranscriptSight {
  if (place.shown) return { ...place, state: failed ? 'failed' : partial ? 'partial' : 'complete' }
  return place.because === 'rewound' ? { ...place, by: rewindsOf(place.by) } : place
}

function contextSight(
  { found: { kind, id }, planned: { plan }, absence }: Asked,
  { messages }: Pick<ContextView, 'messages'>,
): ContextSight {
  const sent = plan.messages.find((one) => one.kind === kind && one.id === id)
  if (!sent) return absence.because === 'unknown' ? { sent: false, because: 'unfinished' } : sightOfAbsent(absence)
  const index = messages.findIndex((one) => one.id === id && one.standsFor === 'message' && one.repair !== true)
  if (index < 0) return { sent: false, because: sent.role === 'tool' ? 'unmatched' : 'says-nothing' }
  const carries = sent.wire !== null && plan.summary?.apart === false && isSame(sent.wire, plan.summary.event)
  const as = carries ? 'carrier' : sent.wire ? 'wire-form' : 'message'
  return { sent: true, place: index + 1, of: messages.length, as }
}

const isSame = (one: EventRef, other: EventRef): boolean =>
  one.stream === other.stream && one.revision === other.revision
