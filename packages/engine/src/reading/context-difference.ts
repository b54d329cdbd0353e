import {
  contextChanges,
  type Absence,
  type ContextMessage,
  type ContextPlan,
  type PlannedMessage,
} from '@refold/projections'
import type { Change, ContextFacts, SessionDifference, WhyGone } from '../answers/difference.ts'
import type { ContextView } from '../answers/context-view.ts'
import { sightOfAbsent } from './sight-of-absent.ts'

/** A context as of one point: what was planned, and what was made of it. */
export interface ContextThen extends Pick<ContextView, 'digest' | 'bytes' | 'messages' | 'systemPrompt'> {
  readonly plan: ContextPlan
}

/** What came into the model's context, what went out and why, and what is sent otherwise. `why` goes by what went out. */
export function contextDifference(
  { before, after }: Change<ContextThen>,
  why: readonly Absence[],
  limit: number,
): SessionDifference['context'] {
  const { added, removed, changed } = contextChanges(before.plan, after.plan)
  const [was, is] = [messageOf(before), messageOf(after)]
  return {
    before: factsOf(before),
    after: factsOf(after),
    added: { count: added.length, entries: added.slice(0, limit).map(is) },
    removed: {
      count: removed.length,
      entries: removed.slice(0, limit).map((message, index) => ({ ...was(message), why: whyGone(why[index]) })),
    },
    changed: {
      count: changed.length,
      entries: changed.slice(0, limit).map((one) => ({ how: one.how, before: was(one.before), after: is(one.after) })),
    },
    systemPrompt:
      before.systemPrompt === after.systemPrompt ? null : { before: before.systemPrompt, after: after.systemPrompt },
  }
}

function factsOf({ digest, bytes, messages, plan }: ContextThen): ContextFacts {
  return { digest, bytes, messages: messages.length, summary: plan.summary?.id ?? null }
}

/** A planned message as it is sent; without parts where nothing of it is. */
function messageOf({ messages }: ContextThen): (planned: PlannedMessage) => ContextMessage {
  const sent = new Map<string, ContextMessage>()
  for (const message of messages)
    if (message.standsFor === 'message' && message.repair !== true) sent.set(message.id, message)
  return ({ id, role }) => sent.get(id) ?? { role: role ?? 'system', parts: [], standsFor: 'message', id }
}

function whyGone(absence: Absence | undefined): WhyGone {
  return !absence || absence.because === 'unknown' ? { sent: false, because: 'gone' } : sightOfAbsent(absence)
}
