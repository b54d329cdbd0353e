import type { Append, Appended, EventRef, ExpectedRevision, StreamAppend, StreamHead } from '@refold/events'

/** What a store must know of its log to judge an append. */
export interface LogIndex {
  head(stream: string): StreamHead | undefined
  /** Revision of the event with this id in this stream. */
  revisionOf(stream: string, eventId: string): number | undefined
}

export type Refusal = Extract<Appended, { readonly ok: false }>

export type AppendPlan =
  | { readonly kind: 'write' }
  /** All of it is there already: where. */
  | { readonly kind: 'repeat'; readonly events: readonly EventRef[] }
  | { readonly kind: 'refuse'; readonly refusal: Refusal }

/**
 * Decides what becomes of an append before anything is written. A repeat is whole: it is one only if every event of
 * every stream is there, so a request that is partly known is refused.
 */
export function planAppend(index: LogIndex, append: Append): AppendPlan {
  const repeated: EventRef[] = []
  let known: Refusal | undefined
  let isNew = false
  for (const request of append.streams) {
    const { stream, events } = request
    const actual = index.head(stream)?.revision ?? -1
    const twice = repeatedId(request)
    if (twice !== undefined) return { kind: 'refuse', refusal: duplicate(stream, twice) }
    const places = placesOfRepeat(index, request, actual)
    if (places !== undefined) {
      known ??= duplicate(stream, events[0]?.id ?? '')
      repeated.push(...places)
      continue
    }
    if (!fits(request.expected, actual)) {
      // An expectation without events is a guard; a repeat passed it when it was first written.
      if (events.length === 0 && known !== undefined) continue
      return { kind: 'refuse', refusal: wrongRevision(request, actual) }
    }
    const taken = actual < 0 ? undefined : events.find((event) => index.revisionOf(stream, event.id) !== undefined)
    if (taken !== undefined) return { kind: 'refuse', refusal: duplicate(stream, taken.id) }
    if (events.length > 0) isNew = true
  }
  if (known === undefined) return { kind: 'write' }
  return isNew ? { kind: 'refuse', refusal: known } : { kind: 'repeat', events: repeated }
}

/** Where the events of a request stand, if it is one that was taken before: at the place that it names, if it names one. */
function placesOfRepeat(index: LogIndex, request: StreamAppend, actual: number): EventRef[] | undefined {
  const { stream, expected, events } = request
  if (events.length === 0 || actual < 0 || expected === actual) return undefined
  const places: EventRef[] = []
  for (const [offset, { id }] of events.entries()) {
    const revision = index.revisionOf(stream, id)
    if (revision === undefined) return undefined
    if (typeof expected === 'number' && revision !== expected + 1 + offset) return undefined
    if (expected === 'no-stream' && revision !== offset) return undefined
    places.push({ stream, revision })
  }
  return places
}

function fits(expected: ExpectedRevision, actual: number): boolean {
  switch (expected) {
    case 'any':
      return true
    case 'exists':
      return actual >= 0
    case 'no-stream':
      return actual < 0
    default:
      return expected === actual
  }
}

function repeatedId({ events }: StreamAppend): string | undefined {
  if (events.length < 2) return undefined
  const ids = new Set<string>()
  return events.find(({ id }) => ids.size === ids.add(id).size)?.id
}

const duplicate = (stream: string, eventId: string): Refusal => ({
  ok: false,
  code: 'duplicate-event-id',
  stream,
  eventId,
})

const wrongRevision = ({ stream, expected }: StreamAppend, actual: number): Refusal => ({
  ok: false,
  code: 'wrong-revision',
  stream,
  expected,
  actual,
})
