import type { RowReaders } from '@refold/projections'
import type { StateSnapshots } from '../deciding/state-snapshots.ts'

/** Up to where rows are folded: the event's position and hash, {@link CHAIN_START} and 0 for none. */
export interface Checkpoint {
  readonly logId: string
  readonly position: number
  readonly hash: string
}

export interface RebuildProgress {
  /** Events folded so far by this call. */
  readonly events: number
  /** Position up to which they go, and that of the log's last event. */
  readonly position: number
  readonly head: number
}

export interface RebuildOptions {
  /** Called after each page. */
  readonly onProgress?: (progress: RebuildProgress) => void
  readonly signal?: AbortSignal
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
  /**
   * Folds the whole log anew, beside the rows that readers go on to see, and swaps them at once at the end. Rejects with the
   * signal's reason when cancelled, the rows as they were. A rebuild that was cancelled or killed goes on where it was when
   * it is asked for again.
   */
  rebuild(options?: RebuildOptions): Promise<Checkpoint>
  /**
   * Brings the rows up to date and takes what was erased out of everything else that holds views: decider states, free pages,
   * SQLite's side log, a rebuild that was broken off. False while another process is in the way: ask again later.
   */
  scrub(): Promise<boolean>
  /** Decider states, kept beside the rows. */
  readonly snapshots: StateSnapshots
  /** Waits for a fold that is under way. Safe to call twice. */
  close(): Promise<void>
}
