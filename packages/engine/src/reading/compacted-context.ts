import { isKnown, sessionStream } from '@refold/events'
import {
  contextDigest,
  contextPlan,
  contextRefs,
  messageBytes,
  renderContext,
  type ContextMessage,
  type LogContent,
  type PlannedMessage,
  type PlannedSummary,
} from '@refold/projections'
import { widenKept, type ContextMessageFacts } from '../commands/widen-kept.ts'
import type { CompactedContext } from '../commands/compact.ts'
import { fetchContent } from './fetch-content.ts'
import type { ReadingPlace } from './reading-side.ts'

export interface CompactionWish {
  readonly watermark: number
  readonly keep: ReadonlySet<string>
  /** Bytes that kept messages have in the forms that the compaction gives them, by their role. */
  readonly formBytes: (message: string, role: string) => number | undefined
}

/**
 * The context that a compaction is about: what it holds up to the watermark now, what of that stays, and how large both
 * are. Read before the decision; whatever changes it afterwards makes the compaction stale, and appends do not.
 */
export async function compactedContext(
  place: ReadingPlace,
  session: string,
  { watermark, keep, formBytes }: CompactionWish,
): Promise<CompactedContext> {
  const { namespace, source, store, views } = place
  const stream = sessionStream({ namespace, session })
  const { now, past } = await views.read((rows) => ({
    now: contextPlan(rows, stream),
    past: contextPlan(rows, stream, watermark),
  }))
  // Forms that the standing compaction gave go with it, so what stays is measured without them.
  const next = { ...now, summary: null, messages: now.messages.map((one) => ({ ...one, wire: one.ownWire })) }
  const content = await fetchContent(store, [...contextRefs(now), ...contextRefs(next)])
  const { messages } = renderContext(now, content, source.sha256)
  const sent = byMessage(messages)
  const held = new Set(past.messages.map(({ id }) => id))
  // What was still growing at the watermark was not held in the form it has now: it stays, like all that came later.
  const isCovered = ({ id, first, content }: PlannedMessage): boolean =>
    first.stream !== stream || (first.revision <= watermark && (held.has(id) || content.revision <= watermark))
  const facts = now.messages.flatMap((message) => {
    const forms = sent.get(message.id)
    return forms ? [{ message, facts: factsOf(message, forms, content) }] : []
  })
  const covered = facts.filter(({ message }) => isCovered(message)).map(({ facts }) => facts)
  const later = facts.filter(({ message }) => !isCovered(message)).map(({ facts }) => facts)
  const kept = widenKept(covered, keep, later)
  const stays = new Set([...kept, ...later.map(({ id }) => id)])
  const left = { ...next, messages: next.messages.filter(({ id }) => stays.has(id)) }
  const after = byMessage(renderContext(left, content, source.sha256).messages)
  const roles = new Map(covered.map(({ id, role }) => [id, role]))
  const bytesOf = (id: string): number => bytesIn(sent.get(id) ?? [])
  return {
    covered: covered.map(({ id }) => id),
    kept,
    summary: now.summary && standing(now.summary, stream, content),
    unsaid: now.messages.map(({ id }) => id).filter((id) => !sent.has(id)),
    bytesBefore: covered.reduce(
      (sum, { id }) => sum + bytesOf(id),
      bytesIn(messages.filter(({ standsFor }) => standsFor === 'summary')),
    ),
    bytesKept: kept.reduce(
      (sum, id) => sum + (formBytes(id, roles.get(id) ?? 'user') ?? bytesIn(after.get(id) ?? [])),
      0,
    ),
    idsAtWatermark: [...held],
    digestAtWatermark: contextDigest(source.sha256, past),
  }
}

/** A summary from before a branch has its watermark in another log: any of this one is later. */
function standing({ id, event }: PlannedSummary, stream: string, log: LogContent): CompactedContext['summary'] {
  const compacted = log.event(event)
  const data = compacted && isKnown(compacted) && compacted.type === 'Compacted' ? compacted.data : undefined
  const watermark = event.stream === stream ? (data?.watermark ?? -1) : -1
  return { id, covers: data?.covers ?? 0, watermark }
}

/** What is sent for each message: itself, and stand-ins for results of its calls. */
function byMessage(messages: readonly ContextMessage[]): ReadonlyMap<string, readonly ContextMessage[]> {
  const sent = new Map<string, ContextMessage[]>()
  for (const message of messages) {
    if (message.standsFor === 'summary') continue
    const forms = sent.get(message.id)
    if (forms) forms.push(message)
    else sent.set(message.id, [message])
  }
  return sent
}

const bytesIn = (messages: readonly ContextMessage[]): number =>
  messages.reduce((sum, message) => sum + messageBytes(message), 0)

function factsOf(
  { id, role, first, content }: PlannedMessage,
  forms: readonly ContextMessage[],
  log: LogContent,
): ContextMessageFacts {
  const parts = forms.filter(({ repair }) => !repair).flatMap((one) => one.parts)
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []))
  const results = parts.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []))
  const begun = log.event(first)
  const newest = log.event(content)
  return {
    id,
    role: role ?? 'user',
    isPersons:
      begun !== undefined && isKnown(begun) && begun.type === 'MessageAppended' && begun.data.provenance === 'person',
    isAnswer: role === 'assistant' && calls.length === 0 && parts.some(({ type }) => type === 'text'),
    calls,
    results,
    isPartial:
      newest !== undefined && isKnown(newest) && newest.type === 'MessageAppended' && newest.data.partial !== undefined,
  }
}
