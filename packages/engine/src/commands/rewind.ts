import { commandEventId } from '@refold/events'
import { findMessage, findPartial } from '../deciding/ancestry.ts'
import type { Desk } from '../deciding/desk.ts'
import type { Deciding } from '../deciding/plan.ts'
import { decideOn } from '../deciding/session-command.ts'
import { refuse } from '../refusal.ts'
import { checkBase } from './check-base.ts'
import type { CommandOptions } from './command-options.ts'

export interface RewindInput extends CommandOptions {
  /** Last message that stays; `start`: all leave. */
  readonly to: string
  /** Revision that the caller decided by; refused with `moved-on` when there is a newer one. */
  readonly base?: number
}

export interface RewindAnswer {
  /** Takes the rewind back. */
  readonly undoId: string
}

/** Takes all entries after a message out of transcript and context. Durable by itself; the target may be compacted or inherited. */
export function rewind(desk: Desk, session: string, { to, base }: RewindInput): Deciding<RewindAnswer> {
  return decideOn(desk, session, {
    name: 'rewind',
    writes: ['Rewound'],
    isSame: (first) => first.type === 'Rewound' && (first.data.lastThatStays ?? 'start') === to,
    *lookAndDecide(state, stream) {
      const moved = checkBase(state, base)
      if (moved) return moved
      const isThere = to === 'start' || (yield* findMessage(desk, state, to)) || (yield* findPartial(desk, state, to))
      if (!isThere) return refuse('message-not-found', { session, messageId: to })
      const undoId = commandEventId(desk.sha256, stream, desk.key, 0)
      const lastThatStays = to === 'start' ? null : to
      return { events: [{ type: 'Rewound', data: { undoId, lastThatStays, reason: 'rewind' } }], answer: { undoId } }
    },
    again: ([first]) => ({ undoId: first?.type === 'Rewound' ? first.data.undoId : '' }),
  })
}
