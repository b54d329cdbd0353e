import type { CommandOptions } from '../commands/command-options.ts'

export interface PurgeOptions extends CommandOptions {
  /** Tries to have the log for itself before `contended`. Absent: 12. */
  readonly tries?: number
}

/** What something living is folded from, so that it stays. */
export interface KeptOfPurge {
  readonly session: string
  readonly revision: number
  readonly eventId: string
  readonly because: string
}

export interface PurgePlan {
  readonly ok: true
  /** The sessions named, and the deleted delegates under them. */
  readonly sessions: readonly string[]
  /** Events whose words go. */
  readonly events: number
  /** Texts and attachments that nothing else refers to. */
  readonly blobs: number
  readonly kept: readonly KeptOfPurge[]
}

export interface PurgeReceipt extends PurgePlan {
  /** Null where everything was purged before and only the cleaning was done again. */
  readonly purgeId: string | null
  /** Places that were cleaned afterwards. */
  readonly cleaned: readonly string[]
  /** Places that another process was in the way of: purge the same sessions again, once it is gone. */
  readonly pending: readonly string[]
  readonly outOfReach: readonly string[]
}
