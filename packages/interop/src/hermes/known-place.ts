import type { EdgeKind } from './edge.ts'

/** What an earlier reading made of a session. */
export type KnownPlace =
  /** The segment that follows `after` in its conversation. */
  | { readonly kind: 'segment'; readonly after: string }
  /** The first segment of a conversation of its own; `parent` is null where nothing in this file is known to be its parent. */
  | {
      readonly kind: 'conversation'
      readonly edge: 'root' | Exclude<EdgeKind, 'continuation'>
      readonly parent: string | null
    }

/** By session id. */
export type KnownPlaces = ReadonlyMap<string, KnownPlace>
