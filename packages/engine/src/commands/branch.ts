import type { MessageRef } from '@refold/events'
import { findMessage, findPartial } from '../deciding/ancestry.ts'
import { derivedId, streamOf, type Desk } from '../deciding/desk.ts'
import type { Deciding } from '../deciding/plan.ts'
import { read, type Reading } from '../deciding/reading.ts'
import { otherUse } from '../deciding/session-command.ts'
import type { SessionState } from '../deciding/session-state.ts'
import { refuse } from '../refusal.ts'
import { beginSession } from './start.ts'
import { claimNextTitle } from './title-claim.ts'
import type { CommandOptions } from './command-options.ts'

export interface BranchInput extends Omit<CommandOptions, 'expect'> {
  /** Last message that the branch begins with; `start`: it begins empty. */
  readonly from: string
  /** Head of the origin to branch from; the present one where absent. */
  readonly asOf?: number
  readonly id?: string
  readonly title?: string
  readonly surface?: string
  /** Absent: the origin's. */
  readonly workspace?: string
  /** Absent: the origin's. */
  readonly model?: string
}

export interface Branch extends BranchInput {
  /** Where the message first appeared, when that is known to be earlier than its completing event. */
  readonly place?: MessageRef
}

/** Starts a session that begins with part of this one. Writes nothing here: neither side ever changes the other. */
export function* branch(desk: Desk, origin: string, input: Branch): Deciding<{ readonly title: string | null }> {
  const stream = streamOf(desk, origin)
  const state = yield* read.session(stream)
  if (state.session === null) return refuse('session-not-found', { name: origin })
  const session = input.id ?? derivedId(desk, 'session')
  const asOf = input.asOf ?? state.revision
  const place = input.place?.session === origin && input.place.revision > asOf ? null : input.place
  const through =
    input.from === 'start' || place === null ? null : (place ?? (yield* lookFor(desk, state, input.from, asOf)))
  const begun = yield* beginSession(desk, {
    ...(state.workspace === null ? {} : { workspace: state.workspace }),
    ...(state.model === null ? {} : { model: state.model }),
    ...input,
    id: session,
    origin: { kind: 'branch', session: origin, cut: { asOf: Math.min(asOf, state.revision), through } },
  })
  if (!begun.ok || begun.first) return begun
  const other = yield* otherUse(desk, stream)
  if (other) return refuse('key-reused', { session: origin, key: desk.key, found: other.type })
  if (state.deleted) return refuse('session-deleted', { session: origin })
  if (asOf > state.revision || asOf < 0)
    return refuse('moved-on', { session: origin, expected: asOf, actual: state.revision })
  if (through === null && input.from !== 'start')
    return refuse('message-not-found', { session: origin, messageId: input.from })
  if (input.title !== undefined || state.title === null) return begun
  const numbered = yield* claimNextTitle(desk, state.title.text, session)
  const appends = begun.appends.map((plan) =>
    plan.stream === begun.stream
      ? {
          ...plan,
          events: [
            ...plan.events,
            { event: { type: 'Renamed', data: { title: numbered.title, by: 'branch' } } as const },
          ],
        }
      : plan,
  )
  return { ...begun, appends: [...numbered.appends, ...appends], answer: { title: numbered.title } }
}

function* lookFor(desk: Desk, state: SessionState, message: string, asOf: number): Reading<MessageRef | null> {
  const found = (yield* findMessage(desk, state, message)) ?? (yield* findPartial(desk, state, message))
  if (!found || (found.session === state.session && found.event.revision > asOf)) return null
  return { message, session: found.session, revision: found.event.revision }
}
