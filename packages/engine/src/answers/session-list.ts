/** Where a session in the list comes from, as it reads today. */
export type ListedOrigin =
  | { readonly kind: 'root'; readonly was?: 'branch' | 'delegate' | 'reset' | 'untyped' | 'stray' }
  | { readonly kind: 'branch'; readonly session: string; readonly message: string | null }
  | { readonly kind: 'delegate'; readonly session: string | null }
  | { readonly kind: 'reset' | 'untyped' | 'stray'; readonly session: string }

export type SessionStatus = 'running' | 'waiting' | 'ended' | 'interrupted' | 'empty'

/** One session in the list; times are epoch milliseconds. */
export interface SessionRow {
  readonly id: string
  readonly tip: string
  readonly segments: readonly string[]
  readonly title: string | null
  readonly titleBy: string | null
  readonly preview: string | null
  readonly status: SessionStatus
  readonly archived: boolean
  readonly pinned: boolean
  readonly hidden: boolean
  readonly tags: readonly string[]
  readonly workspace: string | null
  readonly model: string | null
  readonly origin: ListedOrigin
  readonly startedAt: number
  readonly lastActivityAt: number
  /** Messages that its transcript shows. */
  readonly messages: number
  readonly delegates: number
  readonly turn: { readonly id: string; readonly leaseUntil: number } | null
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly costUsd: number }
}

export interface ListQuery {
  /** Looks at title, preview and ids. */
  readonly search?: string
  readonly archived?: boolean
  /** Hidden ones, delegates, untyped ones and strays, too. */
  readonly all?: boolean
  readonly workspace?: string
  /** Absent: activity, newest first. */
  readonly sort?: 'activity' | 'start' | 'title'
  /** Absent: 50. */
  readonly limit?: number
  readonly cursor?: string
}

export interface SessionList {
  readonly sessions: readonly SessionRow[]
  /** How many the same filter fits in all. */
  readonly total: number
  readonly cursor: string | null
}
