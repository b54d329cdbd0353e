import { commandEventId, type Blob, type Compacted, type Text, type WireForm } from '@refold/events'
import type { Desk } from '../deciding/desk.ts'
import type { Deciding } from '../deciding/plan.ts'
import { decideOn } from '../deciding/session-command.ts'
import type { SessionState } from '../deciding/session-state.ts'
import { refuse, type Refusal } from '../refusal.ts'
import { hasVisibleCharacter } from './title-text.ts'
import type { CommandOptions } from './command-options.ts'
import type { PartInput } from './message-input.ts'

export interface CompactInput extends CommandOptions {
  /** Revision that the author had read up to when it began. */
  readonly base: number
  /** Last revision that the compaction covers. */
  readonly watermark: number
  /** What the author held: the digest that `context` gave for the watermark, or the ids of all its messages in order. */
  readonly held: string | readonly string[]
  /** Ids of messages that stay word for word; widened so that calls keep their results and open questions stay. */
  readonly keep?: readonly string[]
  readonly summary: string
  /** Absent: user. */
  readonly summaryRole?: 'user' | 'assistant' | 'system'
  /** Kept message whose wire form already holds the summary. */
  readonly carrier?: string
  readonly wireForms?: readonly { readonly message: string; readonly parts: readonly PartInput[] }[]
  readonly tokensBefore?: number
  readonly tokensAfter?: number
  readonly model?: string
}

export interface CompactAnswer {
  readonly compaction: string
  /** What is kept after widening, in order. */
  readonly kept: readonly string[]
  readonly covers: number
  /** UTF-8 bytes of the context up to the watermark, by the engine's measure. */
  readonly bytesBefore: number
  readonly bytesAfter: number
}

/** The context that a compaction is about, read before it is decided. Whatever changes it afterwards makes the compaction stale. */
export interface CompactedContext {
  /** Ids of its messages up to the watermark, in order. */
  readonly covered: readonly string[]
  /** Those of them that stay, widened. */
  readonly kept: readonly string[]
  /** Ids of messages that say nothing: they are not sent, and held or not as their author likes. */
  readonly unsaid: readonly string[]
  /** Summary that stands at its head. */
  readonly summary: { readonly id: string; readonly covers: number; readonly watermark: number } | null
  /** UTF-8 bytes of all that is covered, the summary included, and of what is kept in its new form. */
  readonly bytesBefore: number
  readonly bytesKept: number
  /** Ids of the context as it was at the watermark, and its digest. */
  readonly idsAtWatermark: readonly string[]
  readonly digestAtWatermark: string
}

export interface Compaction extends Omit<CompactInput, 'summary' | 'wireForms'> {
  readonly summary: Text
  /** UTF-8 bytes of the summary as rendered. */
  readonly summaryBytes: number
  readonly wireForms: readonly WireForm[]
  readonly context: CompactedContext
  readonly blobs: readonly Blob[]
}

/** Puts a summary in the place of what its author held. Appends never make it stale; later messages stay live behind it. */
export function compact(desk: Desk, session: string, compaction: Compaction): Deciding<CompactAnswer> {
  return decideOn<CompactAnswer>(desk, session, {
    name: 'compact',
    writes: ['Compacted'],
    decide(state, stream) {
      const event = compactedEvent(state, compaction, commandEventId(desk.sha256, stream, desk.key, 0))
      if ('ok' in event) return event
      return { events: [event], blobs: compaction.blobs, answer: compactAnswer(event) }
    },
    again: ([first]) =>
      first?.type === 'Compacted'
        ? compactAnswer(first)
        : { compaction: '', kept: [], covers: 0, bytesBefore: 0, bytesAfter: 0 },
  })
}

export function compactAnswer({ data }: Compacted): CompactAnswer {
  const { compactionId: compaction, kept, covers, sizes } = data
  return { compaction, kept, covers, bytesBefore: sizes.bytesBefore, bytesAfter: sizes.bytesAfter }
}

/** The compaction's event, or why it may not be. */
export function compactedEvent(
  state: SessionState,
  compaction: Omit<Compaction, 'blobs'>,
  compactionId: string,
): Compacted | Refusal {
  const session = state.session ?? ''
  const { base, watermark, context, carrier, summary, summaryBytes, summaryRole = 'user' } = compaction
  const stale = refusalForBase(state, compaction)
  if (stale) return stale
  if (context.summary && watermark < context.summary.watermark)
    return refuse('watermark-covered', { session, watermark, covered: context.summary.watermark })
  if (typeof summary === 'string' && !hasVisibleCharacter(summary)) return refuse('summary-empty', { session })
  const notHeld = refusalForHeld(session, compaction)
  if (notHeld) return notHeld
  const { covered, kept, bytesBefore, bytesKept } = context
  const isKept = new Set(kept)
  const wireForms = compaction.wireForms.filter(({ message }) => isKept.has(message))
  const isCarried = carrier !== undefined && wireForms.some(({ message }) => message === carrier)
  const bytesAfter = bytesKept + (isCarried ? 0 : summaryBytes)
  if (bytesAfter >= bytesBefore) return refuse('not-smaller', { session, bytesBefore, bytesAfter })
  const { tokensBefore, tokensAfter, model } = compaction
  return {
    type: 'Compacted',
    data: {
      compactionId,
      base,
      watermark,
      held: context.digestAtWatermark,
      kept,
      summary,
      summaryRole,
      ...(isCarried ? { carrier } : {}),
      wireForms,
      covers: covered.length - kept.length + (context.summary?.covers ?? 0),
      sizes: {
        bytesBefore,
        bytesAfter,
        ...(tokensBefore === undefined ? {} : { tokensBefore }),
        ...(tokensAfter === undefined ? {} : { tokensAfter }),
      },
      ...(model === undefined ? {} : { model }),
    },
  }
}

function refusalForBase(
  { session, end, contextChange, revision }: SessionState,
  { base, watermark }: Pick<Compaction, 'base' | 'watermark'>,
): Refusal | undefined {
  if (end && end.class !== 'accident') return refuse('session-ended', { session: session ?? '', reason: end.reason })
  if (Math.max(base, watermark) > revision)
    return refuse('bad-watermark', { session: session ?? '', watermark: Math.max(base, watermark), revision })
  if (contextChange && contextChange.revision > base) {
    const { type: because, revision } = contextChange
    return refuse('stale-compaction', { session: session ?? '', base, because, revision })
  }
  return undefined
}

/** What the author held must be exactly what the context holds up to the watermark: nothing is covered unread. */
function refusalForHeld(session: string, { held, context }: Pick<Compaction, 'held' | 'context'>): Refusal | undefined {
  const { covered, idsAtWatermark, digestAtWatermark, summary } = context
  const claimed = typeof held === 'string' ? (held === digestAtWatermark ? idsAtWatermark : []) : held
  const read = new Set(claimed)
  const lacking = covered.filter((id) => !read.has(id))
  const known = new Set([...covered, ...context.unsaid, ...(summary ? [summary.id] : [])])
  const foreign = claimed.filter((id) => !known.has(id))
  const isDigestWrong = typeof held === 'string' && held !== digestAtWatermark
  if (lacking.length === 0 && foreign.length === 0 && !isDigestWrong) return undefined
  return refuse('not-held', { session, lacking, foreign })
}
