import { commandEventId, type Blob, type Noted, type Text } from '@refold/events'
import type { Desk } from '../deciding/desk.ts'
import type { Deciding } from '../deciding/plan.ts'
import { decideOn } from '../deciding/session-command.ts'
import type { Json } from '@refold/events'
import type { CommandOptions } from './command-options.ts'

export interface NoteInput extends CommandOptions {
  readonly kind: string
  /** Absent: none. */
  readonly shownTo?: 'person' | 'model' | 'both' | 'none'
  readonly text?: string
  readonly data?: Json
  readonly at?: number
  /** Id of the note; derived from the key where absent. */
  readonly note?: string
}

export interface Note extends Omit<NoteInput, 'text'> {
  readonly text?: Text
  readonly blobs: readonly Blob[]
}

/** Writes down what a host has to say and Refold has no event for. */
export function note(desk: Desk, session: string, input: Note): Deciding<{ readonly note: string }> {
  return decideOn(desk, session, {
    name: 'note something in',
    writes: ['Noted'],
    decide(_state, stream) {
      const { kind, shownTo = 'none', text, data, at, blobs } = input
      const id = input.note ?? commandEventId(desk.sha256, stream, desk.key, 0)
      const event: Noted = {
        type: 'Noted',
        data: {
          note: id,
          kind,
          shownTo,
          ...(text === undefined ? {} : { text }),
          ...(data === undefined ? {} : { data }),
          ...(at === undefined ? {} : { at }),
        },
      }
      return { events: [event], blobs, answer: { note: id } }
    },
    again: ([first]) => ({ note: first?.type === 'Noted' ? first.data.note : '' }),
  })
}
