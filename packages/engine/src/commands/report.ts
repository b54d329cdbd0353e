import {
  commandEventId,
  isKnown,
  messageEventId,
  type Blob,
  type DelegateReported,
  type MessageAppended,
  type Text,
} from '@refold/events'
import { streamOf, type Desk } from '../deciding/desk.ts'
import type { Deciding, PlannedEvent, StreamPlan } from '../deciding/plan.ts'
import { read, type Reading } from '../deciding/reading.ts'
import { checkRights } from '../deciding/rights.ts'
import { decideOn } from '../deciding/session-command.ts'
import { refuse } from '../refusal.ts'
import { awakening } from './append.ts'
import { endDelegates, endsAnew } from './end.ts'
import type { CommandOptions } from './command-options.ts'

export interface ReportInput extends CommandOptions {
  readonly delegate: string
  /** Tells several reports of one delegate apart. Absent: its only one. */
  readonly run?: string
  readonly outcome: 'done' | 'failed' | 'cancelled'
  readonly message?: string
  /** Leaves the delegate open for further runs. Absent: it ends, with its own delegates. */
  readonly stays?: boolean
}

export interface ReportAnswer {
  /** Id of the message that brings it to the model; null where it is only to be read, after a reset or end. */
  readonly injectedAs: string | null
}

export interface Report extends Omit<ReportInput, 'message'> {
  readonly message?: Text
  readonly blobs: readonly Blob[]
}

/**
 * Brings a delegate's result into the session that it works for: once to the model, by a message that people see as the
 * delegate's card. After a deliberate end or a reset it is only kept to be read.
 */
export function report(desk: Desk, session: string, input: Report): Deciding<ReportAnswer> {
  const { delegate, run = '1', outcome, message, stays = false, blobs } = input
  const reported = JSON.stringify(['report', delegate, run])
  return decideOn(desk, session, {
    name: 'report to',
    writes: ['DelegateReported'],
    openToDelegates: true,
    firstEventId: (stream) => commandEventId(desk.sha256, stream, reported, 0),
    *lookAndDecide(state, stream) {
      if (!state.delegates.has(delegate)) return refuse('not-a-delegate', { session: delegate, parent: session })
      // A delegate brings its own result: words that others say in its name would be believed, and would end it.
      const refusal = desk.actor.session === delegate ? undefined : yield* checkRights(desk, session, 'report to')
      if (refusal) return refusal
      const isOver = state.end !== null && state.end.class !== 'accident'
      const injectedAs = isOver || message === undefined ? null : `report-${desk.sha256(reported).slice(0, 24)}`
      const event: DelegateReported = {
        type: 'DelegateReported',
        data: {
          session: delegate,
          run,
          outcome,
          ...(message === undefined ? {} : { message }),
          ...(injectedAs === null ? {} : { injectedAs }),
        },
      }
      const events: PlannedEvent[] = [{ event, id: commandEventId(desk.sha256, stream, reported, 0) }]
      if (injectedAs !== null && message !== undefined) {
        const injected: MessageAppended = {
          type: 'MessageAppended',
          data: {
            id: injectedAs,
            role: 'user',
            parts: [{ type: 'text', text: message }],
            provenance: 'engine',
            shownTo: 'model',
          },
        }
        events.push(...awakening(state), { event: injected, id: messageEventId(desk.sha256, stream, injectedAs) })
      }
      const after = stays ? [] : yield* endReported(desk, session, delegate)
      return { events, after, blobs, answer: { injectedAs } }
    },
    *alongside([first], _state, stream) {
      if (first?.type !== 'DelegateReported' || first.data.injectedAs === undefined) return []
      const injected = yield* read.find(stream, messageEventId(desk.sha256, stream, first.data.injectedAs))
      return injected && isKnown(injected) ? [injected] : []
    },
    again: ([first]) => ({ injectedAs: first?.type === 'DelegateReported' ? (first.data.injectedAs ?? null) : null }),
  })
}

/** Whoever goes on talking to a delegate that has reported is to say so: a person's next words are meant for its parent. */
function* endReported(desk: Desk, parent: string, delegate: string): Reading<readonly StreamPlan[]> {
  const stream = streamOf(desk, delegate)
  const state = yield* read.session(stream)
  const isItsOwn = state.origin?.kind === 'delegate' && state.origin.session === parent
  if (!isItsOwn || state.deleted || !endsAnew(state, 'deliberate')) return []
  const event = { type: 'Ended', data: { reason: 'reported', class: 'deliberate' } } as const
  const own: StreamPlan = { stream, expected: state.revision, events: [{ event }] }
  return [own, ...(yield* endDelegates(desk, state, 'deliberate', parent))]
}
