import type { ContextPlan, PlannedMessage } from './context-plan.ts'

/** A message that the model is sent at both points, in another text or another form. */
export interface ChangedForm {
  readonly before: PlannedMessage
  readonly after: PlannedMessage
  readonly how: 'text' | 'wire-form'
}

export interface ContextChanges {
  readonly added: readonly PlannedMessage[]
  readonly removed: readonly PlannedMessage[]
  readonly changed: readonly ChangedForm[]
}

/** What came into a context, what went out, and what is sent otherwise; the summary and the prompt are in the plans. */
export function contextChanges(before: ContextPlan, after: ContextPlan): ContextChanges {
  const was = byKey(before)
  const is = byKey(after)
  const changed: ChangedForm[] = []
  for (const [key, now] of is) {
    const then = was.get(key)
    if (!then || formOf(then) === formOf(now)) continue
    const isText = then.wire === null && now.wire === null
    changed.push({ before: then, after: now, how: isText ? 'text' : 'wire-form' })
  }
  return {
    added: after.messages.filter((message) => !was.has(keyOf(message))),
    removed: before.messages.filter((message) => !is.has(keyOf(message))),
    changed,
  }
}

const byKey = ({ messages }: ContextPlan): ReadonlyMap<string, PlannedMessage> =>
  new Map(messages.map((message) => [keyOf(message), message]))

const keyOf = ({ kind, id }: PlannedMessage): string => `${kind} ${id}`

/** Which event gives it its words; an event never changes. */
function formOf({ content, wire }: PlannedMessage): string {
  const { stream, revision } = wire ?? content
  return JSON.stringify([stream, revision, wire?.place ?? null])
}
