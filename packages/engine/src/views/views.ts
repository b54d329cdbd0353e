import type { RowReaders } from '@refold/projections'
import type { StateSnapshots } from '../deciding/state-snapshots.ts'

/** Up to where rows are folded: the event's position and hash, {@link CHAIN_START} and 0 for none. */
export interface Checkpoint {
  readonly logId: string
  readonly position: number
  readonly hash: string
}

/**
 * Rows folded from a log, as of some checkpoint. They lag behind the log until somebody asks, and are never in the way of an
 * append. `T` maps table names to row types.
 */
export interface Views<T> {
  /**
   * Runs `work`, which may not wait, over rows that hold at least all events up to position `upTo`, the newest one where
   * absent. Missing events are folded first. Throws `views-behind` when another process holds the views and too much is
   * missing to fold it for this one read.
   */
  read<A>(work: (rows: RowReaders<T>, checkpoint: Checkpoint) => A, upTo?: number): Promise<A>
  /**
   * Folds what is missing up to `upTo` and keeps it. Throws `views-behind` when another process holds the views and makes no
   * progress.
   */
  catchUp(upTo?: number): Promise<Checkpoint>
  /** Throws the rows away and folds the whole log anew. */
  rebuild(): Promise<Checkpoint>
  /** Decider states, kept beside the rows. */
  readonly snapshots: StateSnapshots
  /** Waits for a fold that is under way. Safe to call twice. */
  close(): Promise<void>
}
