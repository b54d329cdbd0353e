import { commandEventId, encodeEvent, isKnown, type Blob, type Json, type Noted, type Text } from '@refold/events'
import { streamOf, type Desk } from '../deciding/desk.ts'
import type { Deciding } from '../deciding/plan.ts'
import { read } from '../deciding/reading.ts'
import { decideOn } from '../deciding/session-command.ts'
import { refuse } from '../refusal.ts'
import type { CommandOptions } from './command-options.ts'

export interface NoteInput extends CommandOptions {
  readonly kind: string
  /** Absent: none. */
  readonly shownTo?: 'person' | 'model' | 'both' | 'none'
  readonly text?: string
  readonly data?: Json
  readonly at?: number
  /** Id of the note, its own key: the same note again writes nothing, another one is refused. Absent: derived from the key. */
  readonly note?: string
}

export interface Note extends Omit<NoteInput, 'text'> {
  readonly text?: Text
  readonly blobs: readonly Blob[]
}

/** Writes down what a host has to say and Refold has no event for. */
export function* note(desk: Desk, session: string, input: Note): Deciding<{ readonly note: string }> {
  const { kind, shownTo = 'none', text, data, at, blobs } = input
  const stream = streamOf(desk, session)
  const own = commandEventId(desk.sha256, stream, desk.key, 0)
  const eventId =
    input.note === undefined ? own : commandEventId(desk.sha256, stream, JSON.stringify(['note', input.note]), 0)
  const event: Noted = {
    type: 'Noted',
    data: {
      note: input.note ?? own,
      kind,
      shownTo,
      ...(text === undefined ? {} : { text }),
      ...(data === undefined ? {} : { data }),
      ...(at === undefined ? {} : { at }),
    },
  }
  const found = input.note === undefined ? undefined : yield* read.find(stream, eventId)
  if (found && isKnown(found) && (found.type !== 'Noted' || wordsOf(found) !== wordsOf(event)))
    return refuse('note-conflict', { session, note: event.data.note })
  return yield* decideOn(desk, session, {
    name: 'note something in',
    writes: ['Noted'],
    ...(input.note === undefined ? {} : { firstEventId: () => eventId }),
    decide: () => ({ events: [{ event, id: eventId }], blobs, answer: { note: event.data.note } }),
    again: ([first]) => ({ note: first?.type === 'Noted' ? first.data.note : '' }),
  })
}

/** All that a note says, its time apart, in the codec's form. */
function wordsOf({ data: { note, kind, shownTo, text, data } }: Noted): string {
  const told = { note, kind, shownTo, ...(text === undefined ? {} : { text }), ...(data === undefined ? {} : { data }) }
  return encodeEvent({ type: 'Noted', data: told }).payload
}
