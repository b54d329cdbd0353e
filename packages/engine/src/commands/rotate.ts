import { commandEventId, type Blob, type Rotated } from '@refold/events'
import { claim } from '../claims.ts'
import { derivedId, type Desk } from '../deciding/desk.ts'
import type { Deciding, PlannedEvent } from '../deciding/plan.ts'
import type { Reading } from '../deciding/reading.ts'
import { decideOn, type Decided } from '../deciding/session-command.ts'
import { tipOf, type SessionState } from '../deciding/session-state.ts'
import { refuse, type Refusal } from '../refusal.ts'
import { awakening, freshMessages } from './append.ts'
import { writtenBefore } from './first-append.ts'
import { compactedEvent, type Compaction } from './compact.ts'
import type { PreparedMessage } from './prepare-message.ts'
import { checkTurn } from './turn-events.ts'
import type { CommandOptions } from './command-options.ts'
import type { MessageInput } from './message-input.ts'
import type { CompactInput } from './compact.ts'

export interface RotateInput extends CommandOptions {
  /** Segment to rotate; the tip where absent. Refused with the winner when it was rotated already. */
  readonly from?: string
  /** Id of the new segment. Absent: a new one. */
  readonly segment?: string
  /** Absent: `compaction` with one, else `rotation`. */
  readonly reason?: string
  /** Messages not yet written; they stand before the rotation. */
  readonly pending?: readonly MessageInput[]
  readonly turn?: string
  readonly compaction?: Omit<CompactInput, keyof CommandOptions>
}

export interface RotateAnswer {
  /** The new tip. */
  readonly segment: string
  readonly appended: number
  readonly alreadyThere: number
  readonly compaction: string | null
}

export interface Rotation extends Omit<RotateInput, 'pending' | 'compaction'> {
  readonly pending: readonly PreparedMessage[]
  readonly compaction?: Omit<Compaction, 'blobs'>
  readonly blobs: readonly Blob[]
}

/** Opens a new segment of the same session: pending messages, an optional compaction and the rotation in one append. */
export function rotate(desk: Desk, session: string, input: Rotation): Deciding<RotateAnswer> {
  return decideOn<RotateAnswer>(desk, session, {
    name: 'rotate',
    writes: ['Reopened', 'Unarchived', 'Compacted', 'Rotated'],
    lookAndDecide: (state, stream) => decideRotation(desk, state, stream, input),
    *alongside(_first, state, stream) {
      const pending = yield* freshMessages(desk, stream, state, input.pending)
      return pending.ok ? yield* writtenBefore(desk, stream, input.pending, pending.known) : []
    },
    again: (events) => {
      const rotated = events.find((event) => event.type === 'Rotated')
      const compacted = events.find((event) => event.type === 'Compacted')
      const appended = events.filter((event) => event.type === 'MessageAppended').length
      return {
        segment: rotated?.data.to ?? '',
        appended,
        alreadyThere: input.pending.length - appended,
        compaction: compacted?.data.compactionId ?? null,
      }
    },
  })
}

function* decideRotation(
  desk: Desk,
  state: SessionState,
  stream: string,
  input: Rotation,
): Reading<Decided<RotateAnswer> | Refusal> {
  const session = state.session ?? ''
  const { compaction, pending, blobs } = input
  const from = input.from ?? tipOf(state)
  if (state.end && state.end.class !== 'accident') return refuse('session-ended', { session, reason: state.end.reason })
  const place = state.segments.indexOf(from)
  if (place < 0) return refuse('segment-not-found', { session, segment: from })
  const winner = state.segments[place + 1]
  if (winner !== undefined) return refuse('already-rotated', { session, segment: from, winner, pendingWritten: false })
  const lost = yield* checkTurn(desk, stream, state, input.turn)
  if (lost) return lost
  const fresh = yield* freshMessages(desk, stream, state, pending)
  if (!fresh.ok) return fresh
  const to = input.segment ?? derivedId(desk, 'segment')
  const taken = yield* claim(desk, 'id', to, session)
  if (!taken.free || to === session || state.segments.includes(to))
    return refuse('id-taken', { id: to, holder: taken.free ? session : taken.holder })
  const awake = awakening(state)
  const compacted = compaction
    ? compactedEvent(state, compaction, commandEventId(desk.sha256, stream, desk.key, awake.length))
    : null
  if (compacted && 'ok' in compacted) return compacted
  const reason = input.reason ?? (compaction ? 'compaction' : 'rotation')
  const rotated: Rotated = { type: 'Rotated', data: { from, to, reason } }
  const events: PlannedEvent[] = [
    ...awake,
    ...fresh.events,
    ...(compacted ? [{ event: compacted }] : []),
    { event: rotated },
  ]
  const appended = fresh.messages.length
  return {
    before: taken.appends,
    events,
    blobs,
    answer: {
      segment: to,
      appended,
      alreadyThere: pending.length - appended,
      compaction: compacted?.data.compactionId ?? null,
    },
  }
}
