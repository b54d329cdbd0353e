import type { ContextMessage, FeedMessage, SessionRow, TranscriptEntry } from '@refold/projections'
import type { ContextView } from '../answers/context-view.ts'
import type { LineageEdge, LineageView } from '../answers/lineage-view.ts'
import type { ListQuery } from '../answers/session-list.ts'
import type { TranscriptPage } from '../answers/transcript-page.ts'
import type { UsageLine, UsageQuery } from '../answers/usage-report.ts'

/** What can be watched. Sessions are named as everywhere. */
export type WatchQuery =
  /** The first page of the session list. */
  | ({ readonly query: 'list' } & Omit<ListQuery, 'cursor'>)
  /** The newest entries of a transcript. */
  | { readonly query: 'show'; readonly session: string; readonly limit?: number }
  | { readonly query: 'context'; readonly session: string }
  | { readonly query: 'lineage'; readonly session: string }
  | ({ readonly query: 'usage' } & UsageQuery)

/** A segment, or a session on the other end of an edge. */
export interface LineageRow {
  readonly place: 'segment' | 'parent' | 'child'
  readonly kind: LineageEdge | null
  readonly session: string | null
}

/** Rows and head of each query's feed. */
export interface WatchedAnswers {
  readonly list: { readonly row: SessionRow; readonly head: { readonly total: number } }
  readonly show: { readonly row: TranscriptEntry; readonly head: Omit<TranscriptPage, 'entries'> }
  readonly context: { readonly row: ContextMessage; readonly head: Omit<ContextView, 'messages'> }
  readonly lineage: { readonly row: LineageRow; readonly head: Pick<LineageView, 'session'> }
  readonly usage: { readonly row: UsageLine; readonly head: { readonly total: UsageLine } }
}

export type WatchMessage<Q extends WatchQuery['query'] = WatchQuery['query']> = Q extends unknown
  ? FeedMessage<WatchedAnswers[Q]['row'], WatchedAnswers[Q]['head']>
  : never

export interface WatchOptions {
  /** The cursor of the last message that was taken in: the feed goes on behind it if it still can, else with a snapshot. */
  readonly after?: string
  /** Ends the feed. */
  readonly signal?: AbortSignal
}

/**
 * A snapshot, then what changes, in order and each once; a follower too slow for the changes gets a snapshot again.
 * Nothing is queued for it. Iterate it once; it ends when it is closed, its signal fires, or the engine closes.
 */
export interface Feed<M> extends AsyncIterable<M> {
  /** Safe to call twice. */
  close(): void
}
