import type { Blob, Part } from '@refold/events'
import { findMessage } from '../deciding/ancestry.ts'
import type { Desk } from '../deciding/desk.ts'
import type { Deciding } from '../deciding/plan.ts'
import { decideOn } from '../deciding/session-command.ts'
import { refuse } from '../refusal.ts'
import type { CommandOptions } from './command-options.ts'
import type { PartInput } from './message-input.ts'

export interface PruneInput extends CommandOptions {
  /** What the model is to read instead; null: the message as people see it again. */
  readonly parts: readonly PartInput[] | null
  readonly why: string
}

export interface Prune {
  readonly message: string
  readonly parts: readonly Part[] | null
  readonly why: string
  readonly blobs: readonly Blob[]
}

/** Gives the model another form of a message, such as a stub of a long output. People go on reading the whole. */
export function prune(desk: Desk, session: string, { message, parts, why, blobs }: Prune): Deciding<object> {
  return decideOn(desk, session, {
    name: 'prune',
    writes: ['WireFormSet'],
    isSame: (first) => first.type === 'WireFormSet' && first.data.message === message,
    *lookAndDecide(state) {
      if (!(yield* findMessage(desk, state, message)))
        return refuse('message-not-found', { session, messageId: message })
      return { events: [{ type: 'WireFormSet', data: { message, parts, why } }], blobs, answer: {} }
    },
    again: () => ({}),
  })
}
