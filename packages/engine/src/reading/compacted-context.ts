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
  const content = await fetchContent(store, contextRefs(now))
  const rendered = renderContext(now, content, source.sha256).messages
  const idsAtWatermark = past.messages.map(({ id }) => id)
  const held = new Set(idsAtWatermark)
  // What was still growing at the watermark was not held in the form it has now: it stays, like all that came later.
  const isCovered = ({ id, first, content }: PlannedMessage): boolean =>
    first.stream !== stream || (first.revision <= watermark && (held.has(id) || content.revision <= watermark))
  const facts = now.messages.map((message) => ({ message, facts: factsOf(message, rendered, content) }))
  const covered = facts.filter(({ message }) => isCovered(message)).map(({ facts }) => facts)
  const later = facts.filter(({ message }) => !isCovered(message)).map(({ facts }) => facts)
  const kept = widenKept(covered, keep, later)
  const bytesBefore = bytesOf(rendered, (one) => one.standsFor === 'summary')
  return {
    covered: covered.map(({ id }) => id),
    kept,
    summary: now.summary && standing(now.summary, stream, content),
    bytesBefore: covered.reduce((sum, { id }) => sum + bytesOf(rendered, idIs(id)), bytesBefore),
    bytesKept: kept.reduce((sum, id) => {
      const role = covered.find((one) => one.id === id)?.role ?? 'user'
      return sum + (formBytes(id, role) ?? bytesOf(rendered, idIs(id)))
    }, 0),
    idsAtWatermark,
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

const idIs =
  (id: string) =>
  (message: ContextMessage): boolean =>
    message.standsFor === 'message' && message.id === id

function bytesOf(rendered: readonly ContextMessage[], isMeant: (message: ContextMessage) => boolean): number {
  return rendered.filter(isMeant).reduce((sum, message) => sum + messageBytes(message), 0)
}

function factsOf(
  { id, role, first, content }: PlannedMessage,
  rendered: readonly ContextMessage[],
  log: LogContent,
): ContextMessageFacts {
  const parts = rendered.filter((one) => idIs(id)(one) && !one.repair).flatMap((one) => one.parts)
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
