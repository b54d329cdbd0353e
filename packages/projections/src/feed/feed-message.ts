import type { Patch } from 'immer'

/** A row with the key that it has as long as it is in the feed. */
export interface KeyedRow<R extends object = object> {
  readonly key: string
  readonly row: R
}

/** A row that comes in (`row` is there) or moves: behind the one named, at the front for null. */
export interface PlacedRow<R extends object = object> {
  readonly key: string
  readonly behind: string | null
  readonly row?: R
}

/** What turns one answer into the next. Patches are immer's, with paths within the head or one row; never indexes of a page. */
export interface FeedChange<R extends object = object> {
  readonly head: readonly Patch[]
  readonly removed: readonly string[]
  /** To be placed one after another, once the removed and all of these are taken out. */
  readonly placed: readonly PlacedRow<R>[]
  readonly changed: readonly { readonly key: string; readonly patches: readonly Patch[] }[]
}

/**
 * What a feed says, in order, each once. `cursor` names the place in the log up to which the answer is right, and is to be
 * given to go on from there.
 */
export type FeedMessage<R extends object = object, H extends object = object> =
  | { readonly kind: 'snapshot'; readonly cursor: string; readonly head: H; readonly rows: readonly KeyedRow<R>[] }
  | ({ readonly kind: 'change'; readonly cursor: string } & FeedChange<R>)
  /** The session shows nothing any more; a snapshot follows if it comes back. */
  | { readonly kind: 'gone'; readonly cursor: string; readonly code: string; readonly message: string }
