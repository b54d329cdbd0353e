import { headOf, type EventRef, type Part, type Recorded, type Role, type Sha256 } from '@refold/events'
import type { ContextPlan, PlannedMessage, PlannedSummary } from '../read/context-plan.ts'
import { contextDigest } from './context-digest.ts'
import type { ContextMessage } from './context-message.ts'
import { contextBytes } from './context-size.ts'
import { knownEvent, wholeParts, wholeText, type LogContent } from './log-content.ts'
import { repairCalls } from './repair-calls.ts'

/** What the model is sent. */
export interface RenderedContext {
  readonly systemPrompt: string | null
  readonly messages: readonly ContextMessage[]
  /** Of the context's ids and forms; what an author of a compaction says it held. */
  readonly digest: string
  /** UTF-8 bytes as rendered, repairs included, an image or file as a fixed number. */
  readonly bytes: number
}

/** The events that rendering a plan needs, each once. */
export function contextRefs({ systemPrompt, summary, messages }: ContextPlan): readonly EventRef[] {
  const refs = [
    systemPrompt,
    summary?.event,
    ...messages.flatMap(({ first, content, wire }) => [first, wire ?? content]),
  ]
  const distinct = new Map<string, EventRef>()
  for (const ref of refs)
    if (ref) distinct.set(`${ref.revision} ${ref.stream}`, { stream: ref.stream, revision: ref.revision })
  return [...distinct.values()]
}

/** Puts words into a plan. Pure: the same plan over the same log gives the same bytes. */
export function renderContext(plan: ContextPlan, content: LogContent, sha256: Sha256): RenderedContext {
  const summary = plan.summary?.apart === true ? summaryMessage(plan.summary, content) : []
  const said = plan.messages.map((message) => renderMessage(message, content)).filter(saysSomething)
  const messages = repairCalls([...summary, ...said])
  const systemPrompt = plan.systemPrompt && promptText(plan.systemPrompt, content)
  return { systemPrompt, messages, digest: contextDigest(sha256, plan), bytes: contextBytes(systemPrompt, messages) }
}

function summaryMessage({ id, event }: PlannedSummary, content: LogContent): readonly ContextMessage[] {
  const compacted = knownEvent(content, event)
  if (compacted?.type !== 'Compacted') return []
  const { summary, summaryRole } = compacted.data
  const parts: readonly Part[] = [{ type: 'text', text: wholeText(content, summary) }]
  return [{ role: summaryRole, parts, standsFor: 'summary', id }]
}

/** Providers refuse what has neither words nor calls nor anything attached, such as an answer that broke off at once. */
const saysSomething = ({ parts }: ContextMessage): boolean =>
  parts.some((part) => {
    if (part.type === 'reasoning') return false
    return part.type !== 'text' || headOf(part.text).trim() !== ''
  })

function renderMessage({ id, role, content, wire, kind }: PlannedMessage, log: LogContent): ContextMessage {
  const event = knownEvent(log, wire ?? content)
  const parts = event ? wholeParts(log, partsOf(event, wire?.place ?? null)) : []
  const spoken: Role = kind === 'note' ? 'system' : (role ?? 'user')
  return { role: spoken, parts, standsFor: 'message', id }
}

/** What an event says that gives a message its words. */
function partsOf(event: Recorded, place: number | null): readonly Part[] {
  if (event.type === 'MessageAppended' || event.type === 'MessageEdited') return event.data.parts
  if (event.type === 'WireFormSet') return event.data.parts ?? []
  if (event.type === 'Compacted') return event.data.wireForms[place ?? -1]?.parts ?? []
  if (event.type === 'Noted' && event.data.text !== undefined) return [{ type: 'text', text: event.data.text }]
  return []
}

function promptText(ref: EventRef, content: LogContent): string | null {
  const event = knownEvent(content, ref)
  if (event?.type !== 'SettingChanged' || event.data.key !== 'system-prompt' || event.data.value === null) return null
  return wholeText(content, event.data.value)
}
