import type { Part } from '@refold/events'
import type { Entry } from './entry.ts'

/** Entries that went out of sight together. */
export interface Rewind {
  readonly id: string
  readonly kind: 'rewind' | 'alternative'
  readonly hides: ReadonlySet<Entry>
  /** How many entries there were. */
  readonly came: number
  readonly undoes: Rewind | null
  readonly made: number
  open: boolean
}

/** A summary and what it was made over. */
export interface Summary {
  readonly id: string
  readonly text: string
  readonly role: 'user' | 'assistant' | 'system'
  /** Messages and notes up to its end: those that it stands for, keeps, or did not see because they were hidden. */
  readonly over: readonly Entry[]
  readonly covers: Set<Entry>
  readonly kept: Set<Entry>
  readonly unseen: ReadonlySet<Entry>
  readonly forms: ReadonlyMap<Entry, readonly Part[]>
  readonly carrier: Entry | null
  /** Revision up to which its author had read. */
  readonly watermark: number
  readonly made: number
  /** Made in an origin. */
  readonly inherited: boolean
  standing: boolean
  undone: boolean
}

export type EndClass = 'deliberate' | 'accident' | 'reset'

export interface Usage {
  readonly input: number
  readonly output: number
  readonly costUsd: number
  readonly task: string | null
}

export interface Session {
  readonly id: string
  readonly started: number
  readonly origin: {
    readonly kind: 'root' | 'branch' | 'delegate' | 'reset'
    readonly session: string | null
    readonly message: string | null
  }
  readonly entries: Entry[]
  /** How many of them it began with. */
  readonly inherited: number
  /** Hidden when it branched, for good. */
  readonly hiddenAtCut: ReadonlySet<Entry>
  readonly rewinds: Rewind[]
  summaries: Summary[]
  readonly platforms: Map<string, string>
  readonly segments: string[]
  /** Steps that changed what earlier messages look like to the model. */
  contextChanges: number
  title: { readonly text: string; readonly by: TitleAuthor } | null
  end: { readonly reason: string; readonly class: EndClass } | null
  archived: 'person' | 'idle' | null
  deleted: { readonly id: string; readonly seed: string; readonly along: readonly string[] } | null
  turn: {
    readonly id: string
    readonly holder: string
    readonly leaseMs: number
    leaseUntil: number
    ended: boolean
  } | null
  /** Turns started here, and those that their holder ended. */
  readonly turns: Map<string, 'started' | 'ended'>
  /** Shown by the list as at work; an end takes it away, though the turn itself may go on. */
  listedTurn: string | null
  reported: boolean
  /** Delegates by id. */
  readonly delegates: Map<string, 'open' | 'reported'>
  readonly routes: Map<string, number>
  readonly usage: Map<string, Usage>
  pinned: boolean
  hidden: boolean
  tags: string[]
  model: string | null
  systemPrompt: string | null
  /** Set here, not in an origin. */
  ownPrompt: boolean
  lastActivity: number
  activityStep: number
  readonly startStep: number
}

export type TitleAuthor = 'person' | 'model' | 'branch' | 'derived'

export function newSession(
  id: string,
  fields: Pick<Session, 'started' | 'origin' | 'startStep'> & Partial<Session>,
): Session {
  return {
    id,
    entries: [],
    inherited: 0,
    hiddenAtCut: new Set(),
    rewinds: [],
    summaries: [],
    platforms: new Map(),
    segments: [id],
    contextChanges: 0,
    title: null,
    end: null,
    archived: null,
    deleted: null,
    turn: null,
    turns: new Map(),
    listedTurn: null,
    reported: false,
    delegates: new Map(),
    routes: new Map(),
    usage: new Map(),
    pinned: false,
    hidden: false,
    tags: [],
    model: null,
    systemPrompt: null,
    ownPrompt: false,
    lastActivity: fields.started,
    activityStep: fields.startStep,
    ...fields,
  }
}

export const tipOf = (session: Session): string => session.segments.at(-1) ?? session.id
export const isOver = ({ end }: Session): boolean => end !== null && end.class !== 'accident'

export function messageIn(session: Session, id: string): Entry | undefined {
  return session.entries.find((entry) => entry.kind === 'message' && entry.id === id)
}
