import type { EndClass, Json, Setting, TitleAuthor } from '@refold/events'
import type { CommandOptions } from './command-options.ts'
import type { MessageInput, MessageUsage, PartInput } from './message-input.ts'

export interface StartInput extends Omit<CommandOptions, 'expect'> {
  /** 1 to 200 characters, unique for ever in the namespace among sessions and segments. Absent: a new one. */
  readonly id?: string
  readonly title?: string
  /** Whose title it is; a person's where absent. */
  readonly titleBy?: TitleAuthor
  /** The session that begins anew here; it ends with class `reset` in the same append, and its routes move along. */
  readonly resetOf?: string
  /** The session that this one works for; as `spawn` there. */
  readonly delegateOf?: string
  readonly task?: string
  readonly toolCallId?: string
  readonly surface?: string
  readonly workspace?: string
  readonly model?: string
  readonly systemPrompt?: string
  /** When it began by its own account, epoch milliseconds. */
  readonly at?: number
}

export interface AppendInput extends CommandOptions {
  /** Turn whose lease the append renews and under which its messages stand. */
  readonly turn?: string
  /** Reopens a session that was ended on purpose instead of being refused. */
  readonly reopen?: boolean
  /** Work that came by a route: refused when the route is at a newer generation meanwhile. */
  readonly route?: { readonly route: string; readonly generation: number }
  /** Revision up to which the caller has read; a session handle fills in its own. */
  readonly readUpTo?: number
}

export interface AppendAnswer {
  /** Messages written. */
  readonly appended: number
  /** Messages that were there before, in this session or in what it inherits. */
  readonly alreadyThere: number
  /** Ids of all messages of the batch, in its order. */
  readonly messages: readonly string[]
  /** Events of others between what the caller had read and this append. */
  readonly unread: number
  /** Id of the live segment, into which they went whatever id the session was called by. */
  readonly landedIn: string
}

export interface CompactInput extends CommandOptions {
  /** Revision that the author had read up to when it began. */
  readonly base: number
  /** Last revision that the compaction covers. */
  readonly watermark: number
  /** What the author held: the digest that `context` gave for the watermark, or the ids of all its messages in order. */
  readonly held: string | readonly string[]
  /** Ids of messages that stay word for word; widened so that calls keep their results and open questions stay. */
  readonly keep?: readonly string[]
  readonly summary: string
  /** Absent: user. */
  readonly summaryRole?: 'user' | 'assistant' | 'system'
  /** Kept message whose wire form already holds the summary. */
  readonly carrier?: string
  readonly wireForms?: readonly { readonly message: string; readonly parts: readonly PartInput[] }[]
  readonly tokensBefore?: number
  readonly tokensAfter?: number
  readonly model?: string
}

export interface CompactAnswer {
  readonly compaction: string
  /** What is kept after widening, in order. */
  readonly kept: readonly string[]
  readonly covers: number
  /** UTF-8 bytes of the context up to the watermark, by the engine's measure. */
  readonly bytesBefore: number
  readonly bytesAfter: number
}

export interface RotateInput extends CommandOptions {
  /** Segment to rotate; the tip where absent. Refused with the winner when it was rotated already. */
  readonly from?: string
  /** Id of the new segment. Absent: a new one. */
  readonly segment?: string
  /** Absent: `compaction` with one, else `rotation`. */
  readonly reason?: string
  /** Messages not yet written; they stand before the rotation. */
  readonly pending?: readonly MessageInput[]
  readonly turn?: string
  readonly compaction?: Omit<CompactInput, keyof CommandOptions>
}

export interface RotateAnswer {
  /** The new tip. */
  readonly segment: string
  readonly appended: number
  readonly alreadyThere: number
  readonly compaction: string | null
}

export interface RenameInput extends CommandOptions {
  /** A person's choice outranks every machine's. Absent: person. */
  readonly by?: TitleAuthor
}

export interface RenameAnswer {
  /** The title as it stands now: cleaned, and for a machine perhaps numbered. */
  readonly title: string | null
}

export interface BranchInput extends Omit<CommandOptions, 'expect'> {
  /** Last message that the branch begins with; `start`: it begins empty. */
  readonly from: string
  /** Head of the origin to branch from; the present one where absent. */
  readonly asOf?: number
  readonly id?: string
  readonly title?: string
  readonly surface?: string
}

export interface RewindInput extends CommandOptions {
  /** Last message that stays; `start`: all leave. */
  readonly to: string
  /** Revision that the caller decided by; refused with `moved-on` when there is a newer one. */
  readonly base?: number
}

export interface RewindAnswer {
  /** Takes the rewind back. */
  readonly undoId: string
}

export interface EditInput extends CommandOptions {
  readonly text?: string
  readonly parts?: readonly PartInput[]
  readonly base?: number
  readonly at?: number
}

export interface EndInput extends CommandOptions {
  readonly reason: string
  /** Absent: deliberate. */
  readonly class?: EndClass
  readonly at?: number
}

export interface EndAnswer {
  /** The end that stands now: the first deliberate one wins. */
  readonly reason: string
  readonly class: EndClass
  /** Delegates that ended with it. */
  readonly delegates: readonly string[]
}

/** One setting and its new value; texts may have any length. A route has commands of its own. */
export type SettingInput =
  | Exclude<Setting, { readonly key: 'system-prompt' | 'goal' | 'route' }>
  | { readonly key: 'system-prompt' | 'goal'; readonly value: string | null }

export interface NoteInput extends CommandOptions {
  readonly kind: string
  /** Absent: none. */
  readonly shownTo?: 'person' | 'model' | 'both' | 'none'
  readonly text?: string
  readonly data?: Json
  readonly at?: number
  /** Id of the note; derived from the key where absent. */
  readonly note?: string
}

export interface UsageInput extends MessageUsage, Omit<CommandOptions, 'key'> {
  /** Message or request that it belongs to: recorded once for each. */
  readonly key: string
  readonly at?: number
}

export interface SpawnInput extends CommandOptions {
  readonly id?: string
  readonly task?: string
  readonly toolCallId?: string
  readonly title?: string
  readonly surface?: string
  readonly workspace?: string
  readonly model?: string
}

export interface ReportInput extends CommandOptions {
  readonly delegate: string
  /** Tells several reports of one delegate apart. Absent: its only one. */
  readonly run?: string
  readonly outcome: 'done' | 'failed' | 'cancelled'
  readonly message?: string
}

export interface ReportAnswer {
  /** Id of the message that brings it to the model; null where it is only to be read, after a reset or end. */
  readonly injectedAs: string | null
}

export interface StartTurnInput extends CommandOptions {
  /** Id of the turn, its own key. Absent: derived from the key. */
  readonly turn?: string
  /** Who works on it, in words that another holder can understand. Absent: the actor. */
  readonly holder?: string
  /** Milliseconds without an append after which another may take over. Absent: 120,000. */
  readonly leaseMs?: number
}

export interface TurnAnswer {
  readonly turn: string
  /** Epoch milliseconds by the engine's clock. */
  readonly leaseUntil: number
}

export interface BindRouteInput extends CommandOptions {
  readonly route: string
  /** The generation that the caller knows, to take the route from the session that holds it. */
  readonly takeOver?: number
}

export interface RouteAnswer {
  readonly route: string
  readonly generation: number
}

export interface PruneInput extends CommandOptions {
  /** What the model is to read instead; null: the message as people see it again. */
  readonly parts: readonly PartInput[] | null
  readonly why: string
}

export interface DeletionPlan {
  readonly seeds: readonly string[]
  /** The seeds and the delegates that go along, in a fixed order. */
  readonly deletes: readonly string[]
  readonly keeps: readonly { readonly session: string; readonly because: string }[]
}

export interface DeleteAnswer extends DeletionPlan {
  /** Null when nothing was selected. */
  readonly deletionId: string | null
}

export interface RestoreAnswer {
  /** All sessions that came back. */
  readonly restored: readonly string[]
  /** Those whose title was taken meanwhile, with the one they have now. */
  readonly retitled: readonly { readonly session: string; readonly was: string; readonly title: string }[]
  /** Routes that did not come back. */
  readonly routesLost: readonly string[]
}
