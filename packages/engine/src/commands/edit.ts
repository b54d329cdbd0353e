import type { Blob, Part } from '@refold/events'
import { findMessage } from '../deciding/ancestry.ts'
import type { Desk } from '../deciding/desk.ts'
import type { Deciding } from '../deciding/plan.ts'
import { decideOn } from '../deciding/session-command.ts'
import { refuse } from '../refusal.ts'
import { checkBase } from './check-base.ts'
import type { CommandOptions } from './command-options.ts'
import type { PartInput } from './message-input.ts'

export interface EditInput extends CommandOptions {
  readonly text?: string
  readonly parts?: readonly PartInput[]
  readonly base?: number
  readonly at?: number
}

export interface Edit {
  readonly message: string
  readonly parts: readonly Part[]
  readonly base?: number
  readonly at?: number
  readonly blobs: readonly Blob[]
}

/** Changes a message in place. In a branch an inherited message gets a version of the branch's own. */
export function edit(desk: Desk, session: string, { message, parts, base, at, blobs }: Edit): Deciding<object> {
  return decideOn(desk, session, {
    name: 'edit',
    writes: ['MessageEdited'],
    isSame: (first) => first.type === 'MessageEdited' && first.data.message === message,
    *lookAndDecide(state) {
      const moved = checkBase(state, base)
      if (moved) return moved
      if (!(yield* findMessage(desk, state, message)))
        return refuse('message-not-found', { session, messageId: message })
      const data = { message, parts, ...(at === undefined ? {} : { at }) }
      return { events: [{ type: 'MessageEdited', data }], blobs, answer: {} }
    },
    again: () => ({}),
  })
}
