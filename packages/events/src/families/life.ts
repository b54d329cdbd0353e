import { z } from 'zod'
import { identifier } from '../identifier.ts'
import { json, type Json } from '../json.ts'

/** A message named together with the session whose own log holds it and the revision at which it first appeared there. */
export interface MessageRef {
  readonly message: string
  readonly session: string
  readonly revision: number
}

/**
 * How much of its origin a branch or stray begins with: the origin as it stood at revision `asOf`, without the entries
 * after `through`; nothing at all when `through` is null.
 */
export interface Cut {
  readonly asOf: number
  readonly through: MessageRef | null
}

/** Where a session came from. Written once, never inferred afterwards. */
export type Origin =
  | { readonly kind: 'root' }
  | { readonly kind: 'branch'; readonly session: string; readonly cut: Cut }
  /** `session` is null where an import found a delegate whose parent is gone. */
  | { readonly kind: 'delegate'; readonly session: string | null }
  | { readonly kind: 'reset'; readonly session: string }
  /** Imports only: there is a parent, but nothing says what it is. */
  | { readonly kind: 'untyped'; readonly session: string }
  /** Imports only: the losing one of several continuations. */
  | { readonly kind: 'stray'; readonly session: string; readonly cut: Cut }

export type OriginKind = Origin['kind']

export interface SessionStarted {
  readonly type: 'SessionStarted'
  readonly data: {
    readonly session: string
    readonly origin: Origin
    /** Such as `cli`, `desktop`, `telegram`. */
    readonly surface?: string
    readonly workspace?: string
    readonly model?: string
    /** When the session began by its own account, epoch milliseconds; the time of recording where absent. */
    readonly at?: number
    readonly importedFrom?: { readonly tool: string; readonly session: string; readonly details?: Json }
  }
}

/** `deliberate`: somebody closed it. `accident`: its process went away. `reset`: a peer began anew. */
export type EndClass = 'deliberate' | 'accident' | 'reset'

export interface Ended {
  readonly type: 'Ended'
  readonly data: { readonly reason: string; readonly class: EndClass; readonly at?: number }
}

export interface Reopened {
  readonly type: 'Reopened'
  /** `append`: a message arrived after an accident. `person`: somebody asked. */
  readonly data: { readonly why: 'append' | 'person' }
}

export interface Archived {
  readonly type: 'Archived'
  readonly data: { readonly by: 'person' | 'idle' }
}

export interface Unarchived {
  readonly type: 'Unarchived'
  readonly data: { readonly by: 'person' | 'activity' }
}

export interface Deleted {
  readonly type: 'Deleted'
  readonly data: {
    /** One for all sessions that one command deletes. */
    readonly deletionId: string
    /** The session that was named; `along` lists the delegates that go with it and is empty on theirs. */
    readonly seed: string
    readonly along: readonly string[]
    /** Why, in the words of whoever deleted; never anything of what was said in the session. */
    readonly reason?: string
  }
}

export interface Restored {
  readonly type: 'Restored'
  readonly data: {
    readonly deletionId: string
    /** The title it came back with: its own, or the next free number of it where that was taken meanwhile. */
    readonly title: string | null
  }
}

export interface Redacted {
  readonly type: 'Redacted'
  readonly data: {
    readonly targets: readonly {
      readonly eventId: string
      /** Place of that event in this stream, by which views find what they hold of it. */
      readonly revision: number
      readonly parts: readonly string[]
      readonly digest: string
    }[]
    readonly reason: string
  }
}

export interface PurgeStarted {
  readonly type: 'PurgeStarted'
  readonly data: {
    readonly purgeId: string
    readonly eventIds: readonly string[]
    /** What something living is folded from; `revision`: its place in this stream, by which views find what they hold of it. */
    readonly kept: readonly { readonly eventId: string; readonly revision?: number; readonly why: string }[]
    /** Of what is left of these events: SHA-256 over the digests of their masked payloads, in order; see `purgeDigest`. */
    readonly digest?: string
  }
}

export interface Purged {
  readonly type: 'Purged'
  readonly data: { readonly purgeId: string; readonly receipt: Json }
}

export type LifeEvent =
  | SessionStarted
  | Ended
  | Reopened
  | Archived
  | Unarchived
  | Deleted
  | Restored
  | Redacted
  | PurgeStarted
  | Purged

const revision = z.int().nonnegative()
/** Epoch milliseconds; any finite number, for clocks are data. */
const time = z.number()

const messageRef: z.ZodType<MessageRef> = z.strictObject({ message: identifier, session: identifier, revision })
const cut: z.ZodType<Cut> = z.strictObject({ asOf: revision, through: messageRef.nullable() })

export const origin: z.ZodType<Origin> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('root') }),
  z.strictObject({ kind: z.literal('branch'), session: identifier, cut }),
  z.strictObject({ kind: z.literal('delegate'), session: identifier.nullable() }),
  z.strictObject({ kind: z.literal('reset'), session: identifier }),
  z.strictObject({ kind: z.literal('untyped'), session: identifier }),
  z.strictObject({ kind: z.literal('stray'), session: identifier, cut }),
])

export const lifeSchemas: { readonly [E in LifeEvent as E['type']]: z.ZodType<E['data']> } = {
  SessionStarted: z.strictObject({
    session: identifier,
    origin,
    surface: z.string().exactOptional(),
    workspace: z.string().exactOptional(),
    model: z.string().exactOptional(),
    at: time.exactOptional(),
    importedFrom: z
      .strictObject({ tool: z.string(), session: z.string(), details: json.exactOptional() })
      .exactOptional(),
  }),
  Ended: z.strictObject({
    reason: z.string(),
    class: z.enum(['deliberate', 'accident', 'reset']),
    at: time.exactOptional(),
  }),
  Reopened: z.strictObject({ why: z.enum(['append', 'person']) }),
  Archived: z.strictObject({ by: z.enum(['person', 'idle']) }),
  Unarchived: z.strictObject({ by: z.enum(['person', 'activity']) }),
  Deleted: z.strictObject({
    deletionId: z.string(),
    seed: identifier,
    along: z.array(identifier),
    reason: z.string().exactOptional(),
  }),
  Restored: z.strictObject({ deletionId: z.string(), title: z.string().nullable() }),
  Redacted: z.strictObject({
    targets: z.array(z.strictObject({ eventId: z.string(), revision, parts: z.array(z.string()), digest: z.string() })),
    reason: z.string(),
  }),
  PurgeStarted: z.strictObject({
    purgeId: z.string(),
    eventIds: z.array(z.string()),
    kept: z.array(z.strictObject({ eventId: z.string(), revision: revision.exactOptional(), why: z.string() })),
    digest: z.string().exactOptional(),
  }),
  Purged: z.strictObject({ purgeId: z.string(), receipt: json }),
}
