import type { AnyRecorded, Setting, StreamRange } from '@refold/events'
import type { TitleThen } from '@refold/projections'
import type { ContextView } from '../answers/context-view.ts'
import type { SessionDifference } from '../answers/difference.ts'
import type { LineageView } from '../answers/lineage-view.ts'
import type { Point } from '../answers/point.ts'
import type { TranscriptPage, TranscriptQuery } from '../answers/transcript-page.ts'
import type { UsageReport } from '../answers/usage-report.ts'
import type { WhyView } from '../answers/why-view.ts'
import type { CommandOptions } from '../commands/command-options.ts'
import type { AppendAnswer, AppendInput } from '../commands/append.ts'
import type { BranchInput } from '../commands/branch.ts'
import type { CompactAnswer, CompactInput } from '../commands/compact.ts'
import type { EditInput } from '../commands/edit.ts'
import type { EndAnswer, EndInput } from '../commands/end.ts'
import type { NoteInput } from '../commands/note.ts'
import type { PruneInput } from '../commands/prune.ts'
import type { UsageInput } from '../commands/record-usage.ts'
import type { RenameAnswer, RenameInput } from '../commands/rename.ts'
import type { ReportAnswer, ReportInput } from '../commands/report.ts'
import type { RewindAnswer, RewindInput } from '../commands/rewind.ts'
import type { RotateAnswer, RotateInput } from '../commands/rotate.ts'
import type { BindRouteInput, RouteAnswer } from '../commands/routes.ts'
import type { SettingInput } from '../commands/set.ts'
import type { SpawnInput } from '../commands/spawn.ts'
import type { StartTurnInput, TurnAnswer } from '../commands/turns.ts'
import type { MessageInput } from '../commands/message-input.ts'
import type { Outcome } from '../outcome.ts'
import type { Refusal } from '../refusal.ts'

/**
 * One session, opened by any of its names. Commands answer an {@link Outcome}: refusals come back as values, and only
 * what no caller could foresee (a full disk, a damaged store) is thrown as `RefoldError`. Reads see at least this
 * handle's own appends.
 */
export interface SessionHandle {
  /** Its identity for life. */
  readonly id: string
  /** Revision up to which this handle has read without a gap; `append` moves it only if nobody came between. */
  readonly readUpTo: number

  /** Adds messages: all or none, each id once however often it is sent. Lands at the live end. */
  append(messages: MessageInput | readonly MessageInput[], input?: AppendInput): Promise<Outcome<AppendAnswer>>
  /** Changes what a message says, in place; the earlier text stays in the past. */
  edit(message: string, input: EditInput): Promise<Outcome>
  /** Takes every later entry out of transcript and context, until undone. */
  rewind(input: RewindInput): Promise<Outcome<RewindAnswer>>
  /** Returns to what stood before a rewind: that one, or the last. What came since becomes an alternative with an id of its own. */
  undo(undoId?: string, options?: CommandOptions): Promise<Outcome<RewindAnswer>>

  /** Puts a summary in the context's place up to a watermark. Changes nothing that a person reads. */
  compact(input: CompactInput): Promise<Outcome<CompactAnswer>>
  /** Takes back a compaction: that one, or the last. */
  undoCompaction(compaction?: string, options?: CommandOptions): Promise<Outcome<{ readonly compaction: string }>>
  /** Says that an attempt to compact failed, and until when nobody should try again. */
  compactionFailed(reason: string, options?: CommandOptions & { readonly cooldownUntil?: number }): Promise<Outcome>
  /** Gives the model another form of one message; people keep reading the whole. */
  prune(message: string, input: PruneInput): Promise<Outcome>
  /** Opens a new segment, with pending messages and a compaction in the same append. */
  rotate(input?: RotateInput): Promise<Outcome<RotateAnswer>>

  /** Gives a title, or takes it away with null. */
  rename(title: string | null, input?: RenameInput): Promise<Outcome<RenameAnswer>>
  archive(options?: CommandOptions & { readonly by?: 'person' | 'idle' }): Promise<Outcome>
  unarchive(options?: CommandOptions): Promise<Outcome>
  pin(options?: CommandOptions): Promise<Outcome>
  unpin(options?: CommandOptions): Promise<Outcome>
  tag(tag: string, options?: CommandOptions): Promise<Outcome>
  untag(tag: string, options?: CommandOptions): Promise<Outcome>
  /** Sets one setting; the same value again writes nothing. */
  set(setting: SettingInput, options?: CommandOptions): Promise<Outcome>
  note(input: NoteInput): Promise<Outcome<{ readonly note: string }>>
  /** Counts tokens and money, once for each key. */
  recordUsage(input: UsageInput): Promise<Outcome>

  end(input: EndInput): Promise<Outcome<EndAnswer>>
  reopen(options?: CommandOptions): Promise<Outcome>

  /** Starts a session of its own from a message of this one; neither ever changes the other. `handle` is the branch's. */
  branch(input: BranchInput): Promise<Outcome<{ readonly title: string | null; readonly handle: SessionHandle }>>
  /** Starts a session that works for this one; the outcome's `session` is the delegate, `handle` opens it. */
  spawn(input?: SpawnInput): Promise<Outcome<{ readonly parent: string; readonly handle: SessionHandle }>>
  /** Brings a delegate's result, once, to the model. */
  report(input: ReportInput): Promise<Outcome<ReportAnswer>>

  startTurn(input?: StartTurnInput): Promise<Outcome<TurnAnswer>>
  /** For silence only: appends renew the lease by themselves. */
  renewTurn(turn: string, input?: CommandOptions & { readonly leaseMs?: number }): Promise<Outcome<TurnAnswer>>
  endTurn(
    turn: string,
    input?: CommandOptions & { readonly outcome?: 'done' | 'failed' | 'cancelled' },
  ): Promise<Outcome>
  /** Binds an outside address to this session and raises its generation. */
  bindRoute(input: BindRouteInput): Promise<Outcome<RouteAnswer>>
  releaseRoute(route: string, options?: CommandOptions): Promise<Outcome<RouteAnswer>>

  /** What a person reads. */
  transcript(query?: TranscriptQuery): Promise<TranscriptPage | Refusal>
  /** What the model is sent, now or as it was. A point that the session does not have is refused (`bad-revision`). */
  context(query?: { readonly at?: Point }): Promise<ContextView | Refusal>
  lineage(): Promise<LineageView | Refusal>
  /** `withDelegates` counts those as of now. */
  usage(query?: { readonly withDelegates?: boolean; readonly at?: Point }): Promise<UsageReport | Refusal>
  /** Values of its settings, by name, now or as they were. */
  settings(query?: { readonly at?: Point }): Promise<readonly Setting[] | Refusal>
  /** What lists call it, or called it. */
  title(query?: { readonly at?: Point }): Promise<TitleThen | Refusal>
  /**
   * Everything that touched one message or note, and where it is shown now. Refuses (`message-not-found`) one that the
   * session does not have, with those that were perhaps meant.
   */
  why(message: string): Promise<WhyView | Refusal>
  /** What became of the session between two points; each list has `limit` entries at most (absent: 100). */
  diff(from: Point, to: Point, query?: { readonly limit?: number }): Promise<SessionDifference | Refusal>
  /** The log itself, in pages. */
  events(range?: Partial<StreamRange>): Promise<readonly AnyRecorded[]>
}

/** A session in memory only, over a stored log that it reads through; nothing of it is kept unless promoted. */
export interface PrivateSession extends SessionHandle {
  /** Writes the whole session into the log in one append. Afterwards this handle writes there. */
  promote(): Promise<Outcome>
}
