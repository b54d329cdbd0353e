import type { SessionRow, StatusWord } from '@refold/projections'

export type { ListedOrigin, SessionRow } from '@refold/projections'

export type SessionStatus = StatusWord

export interface ListQuery {
  /** Looks at title, preview and ids. */
  readonly search?: string
  /** Archived ones, too. */
  readonly archived?: boolean
  /** Everything that is not deleted: archived and hidden ones, delegates, untyped ones and strays, too. */
  readonly all?: boolean
  readonly workspace?: string
  readonly tag?: string
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
