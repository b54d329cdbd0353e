import { randomUUID } from 'node:crypto'
import {
  encodeEvent,
  isKnown,
  type Actor,
  type AnyRecorded,
  type Append,
  type Appended,
  type ExpectedRevision,
  type NewEvent,
} from '@refold/events'

const person: Actor = { kind: 'person', id: 'ada' }

/** An id that no other test, run or store has. */
export const freshEventId = (): string => randomUUID().replaceAll('-', '')

/** A stream of one test alone, so that the suite also runs against a store that others write to. */
export const freshStream = (): string => `session-suite.${randomUUID()}`

/** A small event that says `text`. */
export function saying(text: string, with_: Partial<NewEvent> = {}): NewEvent {
  const note = encodeEvent({ type: 'Noted', data: { note: 'n', kind: 'suite', shownTo: 'none', text } })
  return { ...note, id: freshEventId(), recordedAt: 1_700_000_000_000, actor: person, ...with_ }
}

export function several(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, index) => saying(`number ${index}`))
}

export function to(stream: string, expected: ExpectedRevision, ...events: readonly NewEvent[]): Append {
  return { streams: [{ stream, expected, events }] }
}

/** What the events say, in order. */
export function wordsOf(events: readonly AnyRecorded[]): unknown[] {
  return events.map((event) => (isKnown(event) && event.type === 'Noted' ? event.data.text : event))
}

/** The events of an append that must have been taken. */
export function taken(answer: Appended): readonly AnyRecorded[] {
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer)}`)
  return answer.events
}
