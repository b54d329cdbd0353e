import type { Sha256 } from '@refold/events'
import type { ContextPlan } from '../read/context-plan.ts'

/**
 * Digest of what a context holds: which summary, which messages, in which form. Needs no texts, for an event never
 * changes; the same plan gives the same digest in every process. Prompt and repairs are not part of it.
 */
export function contextDigest(
  sha256: Sha256,
  { summary, messages }: Pick<ContextPlan, 'summary' | 'messages'>,
): string {
  return sha256(
    JSON.stringify([
      summary ? [summary.id, summary.event.stream, summary.event.revision, summary.apart] : null,
      messages.map(({ kind, id, content, wire }) => [
        kind,
        id,
        content.stream,
        content.revision,
        wire ? [wire.stream, wire.revision, wire.place] : null,
      ]),
    ]),
  )
}
