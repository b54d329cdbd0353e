import type { Json } from '@refold/events'

/** A session's decider state as it was at one event. */
export interface StateSnapshot {
  readonly revision: number
  /** Hash of the event at that revision: the snapshot counts only if the log still has it there. */
  readonly hash: string
  readonly version: number
  readonly state: Json
}

/** Where snapshots are kept, so that a new process need not fold a long stream. Both calls answer at once. */
export interface StateSnapshots {
  load(stream: string): StateSnapshot | undefined
  /** May do nothing, for instance while the views are locked. */
  save(stream: string, snapshot: StateSnapshot): void
}
