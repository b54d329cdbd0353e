import type { EndClass, Origin, TitleAuthor } from '@refold/events'

/**
 * What commands need to know of a session. Small whatever the session's length: it holds no texts and no ids of
 * messages; whether a message is there is one look-up of its event id in the log.
 */
export interface SessionState {
  /** Null until it has started. */
  readonly session: string | null
  /** That of the last event folded; -1 before the first. */
  readonly revision: number
  readonly origin: Origin | null
  /** Oldest first; the last one is the tip. */
  readonly segments: readonly string[]
  readonly title: { readonly text: string; readonly by: TitleAuthor; readonly eventId: string } | null
  readonly end: { readonly reason: string; readonly class: EndClass } | null
  readonly archived: 'person' | 'idle' | null
  readonly deleted: { readonly deletionId: string; readonly seed: string; readonly along: readonly string[] } | null
  readonly purged: boolean
  readonly turn: Turn | null
  /** The last event that changed what earlier messages look like to the model. */
  readonly contextChange: { readonly revision: number; readonly type: string } | null
  /** Open ones, oldest first; alternatives are what an undo set aside. */
  readonly rewinds: readonly { readonly id: string; readonly kind: 'rewind' | 'alternative' | 'import' }[]
  /** Ids of those not undone, oldest first. */
  readonly compactions: readonly string[]
  /** Revision of the last change of each setting, by its slot. */
  readonly settings: ReadonlyMap<string, number>
  readonly workspace: string | null
  readonly model: string | null
  /** Bound routes and their generations. */
  readonly routes: ReadonlyMap<string, number>
  /** Spawned here; open until they reported. */
  readonly delegates: ReadonlyMap<string, 'open' | 'reported'>
  /** Growing answers and their highest number so far. */
  readonly partials: ReadonlyMap<string, number>
  /** Revisions of redactions: what they touched no longer reads as first appended. */
  readonly redactions: readonly number[]
}

export interface Turn {
  readonly id: string
  readonly holder: string
  readonly leaseMs: number
  /** Epoch milliseconds by the engine's clock. */
  readonly leaseUntil: number
  readonly ended: boolean
}

export const initialSession: SessionState = {
  session: null,
  revision: -1,
  origin: null,
  segments: [],
  title: null,
  end: null,
  archived: null,
  deleted: null,
  purged: false,
  turn: null,
  contextChange: null,
  rewinds: [],
  compactions: [],
  settings: new Map(),
  workspace: null,
  model: null,
  routes: new Map(),
  delegates: new Map(),
  partials: new Map(),
  redactions: [],
}

/** Segment that new messages land in. */
export function tipOf(state: SessionState): string {
  return state.segments.at(-1) ?? state.session ?? ''
}

/** A turn that still has its lease. */
export function heldTurn(state: SessionState, now: number): Turn | null {
  return state.turn && !state.turn.ended && now < state.turn.leaseUntil ? state.turn : null
}
