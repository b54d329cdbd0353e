import type { EdgeKind } from './edge.ts'
import type { EndClass, HermesStatus } from './end-reason.ts'
import type { HermesMessage, HermesNotice } from './message.ts'
import type { RawRow } from './raw-row.ts'
import type { SegmentUsage, Workspace } from './session-row.ts'
import type { HermesWarning } from './warning.ts'

/** One conversation of a Hermes store: all segments of it, as a person knows it. */
export interface HermesConversation {
  readonly rootId: string
  /** From first to last; the last is the tip. */
  readonly segments: readonly HermesSegment[]
  readonly origin: HermesOrigin
  readonly title: string | null
  readonly titleSource: string | null
  /** The title on the tip's row, with the number that a rotation appended. */
  readonly tipTitle: string | null
  /** Another conversation with the same title and a newer start, which keeps it. */
  readonly titleKeptBy: string | null
  readonly status: HermesStatus
  readonly end: HermesEnd | null
  readonly archived: boolean
  readonly autoArchived: boolean
  readonly pinned: boolean
  readonly hidden: boolean
  /** A row of Hermes' normal list. */
  readonly listed: boolean
  readonly startedAt: number | null
  /** Time of the newest message of its own that makes sense, else of its start. */
  readonly lastActive: number | null
  readonly usage: HermesUsage
  /** Rows of `messages` in its segments, for progress. */
  readonly rowCount: number
  readonly rewindCount: number
  /** What it begins with of its origin, in order; a branch or stray has such. */
  readonly inherited: readonly HermesItem[]
  /** What happened in it, in order. */
  readonly items: readonly HermesItem[]
  /** What the newest segment would send, row by row. */
  readonly context: readonly HermesContextRow[]
  readonly goals: readonly HermesGoal[]
  readonly delegations: readonly RawRow[]
  /** Rows that are no talk, kept raw. */
  readonly asides: readonly HermesAside[]
  readonly redeliveries: readonly HermesRedelivery[]
  readonly warnings: readonly HermesWarning[]
}

export interface HermesSegment {
  readonly id: string
  readonly source: string
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly endReason: string | null
  readonly model: string | null
  readonly workspace: Workspace
  readonly systemPrompt: string | null
  readonly title: string | null
  readonly titleSource: string | null
  readonly sessionKey: string | null
  /** The generation of the peer that `sessionKey` names; work of an older one is refused. */
  readonly generation: number | null
  readonly archived: boolean
  readonly autoArchived: boolean
  readonly pinned: boolean
  readonly hidden: boolean
  readonly lastReadAt: number | null
  readonly config: Readonly<Record<string, unknown>>
  readonly usage: SegmentUsage
  /** How its link to the segment before was told; `null` for the first. */
  readonly continuesBy: string | null
  readonly rest: RawRow
}

/** Where a conversation comes from. `sessionId` is the exact row, `rootId` the conversation it belongs to. */
export type HermesOrigin =
  | { readonly kind: 'root'; readonly danglingParent: string | null; readonly afterResetOf: string | null }
  | {
      readonly kind: 'delegate'
      readonly sessionId: string | null
      readonly rootId: string | null
      readonly mark: string | null
    }
  | { readonly kind: 'reset' | 'untyped'; readonly sessionId: string; readonly rootId: string }
  | {
      readonly kind: 'branch' | 'stray'
      readonly sessionId: string
      readonly rootId: string
      /** How many messages that a person is shown come from the origin. */
      readonly sharedMessages: number
      /** The key of the last item shared, in the origin's own words. */
      readonly cut: string | null
    }

export interface HermesEnd {
  readonly reason: string | null
  readonly class: EndClass
  readonly at: number | null
}

export type HermesItem = HermesMessage | HermesNotice | HermesCompaction | HermesRotation | HermesRewind

export interface HermesCompaction {
  readonly kind: 'compaction'
  /** Names the native row of the summary. */
  readonly key: string
  readonly segmentId: string
  readonly how: 'in place' | 'rotation' | 'failed'
  readonly summary: string
  /** Role of the row that holds the summary. */
  readonly role: string
  readonly rawTime: number | null
  readonly time: number | null
  /** Keys, in the order in which they stood in the context afterwards. */
  readonly kept: readonly string[]
  readonly covered: readonly string[]
  readonly unread: readonly string[]
  readonly carriedBy: string | null
}

export interface HermesRotation {
  readonly kind: 'rotation'
  readonly from: string
  readonly to: string
}

/** A run of messages that was undone. When that happened is not stored. */
export interface HermesRewind {
  readonly kind: 'rewind'
  /** The first message undone, which names the rewind. */
  readonly key: string
  readonly undone: readonly string[]
}

export interface HermesContextRow {
  readonly rowId: number
  /** The messages and notices that the row holds. */
  readonly holds: readonly string[]
  /** The compaction whose summary it holds. */
  readonly summaryOf: string | null
}

export interface HermesUsage extends SegmentUsage {
  readonly byModel: readonly HermesModelUsage[]
}

export interface HermesModelUsage extends SegmentUsage {
  readonly segmentId: string
  readonly model: string
  readonly provider: string
  readonly baseUrl: string
  readonly mode: string
  /** Empty for the main loop, else what the call was for: `compression`, `title_generation`. */
  readonly task: string
  readonly firstSeen: number | null
  readonly lastSeen: number | null
}

export interface HermesGoal {
  readonly segmentId: string
  /** The goal's JSON, or its text where that cannot be read. */
  readonly value: unknown
}

export interface HermesAside {
  readonly rowId: number
  readonly segmentId: string
  readonly role: string
  readonly text: string
  readonly extra: Readonly<Record<string, unknown>>
}

export interface HermesRedelivery {
  readonly rowId: number
  readonly of: string
  readonly text: string
  readonly rawTime: number | null
}

/** An edge of the store as it was understood. */
export interface HermesEdge {
  readonly child: string
  readonly kind: EdgeKind
  readonly parent: string
}
