import {
  isRefoldError,
  type AnyRecorded,
  type MessageRef,
  type Part,
  type Setting,
  type StreamRange,
} from '@refold/events'
import type { TitleThen } from '@refold/projections'
import type { ContextView } from '../answers/context-view.ts'
import type { SessionDifference } from '../answers/difference.ts'
import type { LineageView } from '../answers/lineage-view.ts'
import type { Point } from '../answers/point.ts'
import type { TranscriptPage, TranscriptQuery } from '../answers/transcript-page.ts'
import type { UsageReport } from '../answers/usage-report.ts'
import type { WhyView } from '../answers/why-view.ts'
import { append, type AppendAnswer, type AppendInput } from '../commands/append.ts'
import { archive, unarchive } from '../commands/archive.ts'
import { branch, type BranchInput } from '../commands/branch.ts'
import type { CommandOptions } from '../commands/command-options.ts'
import { checkUsage } from '../commands/check-usage.ts'
import { compact, type CompactAnswer, type CompactInput } from '../commands/compact.ts'
import { compactionFailed } from '../commands/compaction-failed.ts'
import { edit, type EditInput } from '../commands/edit.ts'
import { end, type EndAnswer, type EndInput } from '../commands/end.ts'
import type { MessageInput } from '../commands/message-input.ts'
import { note, type NoteInput } from '../commands/note.ts'
import { prepareMessages, type PreparedMessage } from '../commands/prepare-message.ts'
import { prune, type PruneInput } from '../commands/prune.ts'
import { recordUsage, type UsageInput } from '../commands/record-usage.ts'
import { rename, type RenameAnswer, type RenameInput } from '../commands/rename.ts'
import { reopen } from '../commands/reopen.ts'
import { report, type ReportAnswer, type ReportInput } from '../commands/report.ts'
import { rewind, type RewindAnswer, type RewindInput } from '../commands/rewind.ts'
import { rotate, type RotateAnswer, type RotateInput } from '../commands/rotate.ts'
import { bindRoute, releaseRoute, type BindRouteInput, type RouteAnswer } from '../commands/routes.ts'
import { set, type SettingInput } from '../commands/set.ts'
import { spawn, type SpawnInput } from '../commands/spawn.ts'
import { endTurn, renewTurn, startTurn, type StartTurnInput, type TurnAnswer } from '../commands/turns.ts'
import { undo } from '../commands/undo.ts'
import { undoCompaction } from '../commands/undo-compaction.ts'
import { shelveParts } from '../content/shelve-parts.ts'
import type { Desk } from '../deciding/desk.ts'
import type { Deciding } from '../deciding/plan.ts'
import type { Outcome } from '../outcome.ts'
import type { ReadingSide } from '../reading/reading-side.ts'
import type { Refusal } from '../refusal.ts'
import { checkId } from './check-id.ts'
import { begin, type CommandPlace, type Task } from './command-desk.ts'
import { prepareCompaction } from './prepare-compaction.ts'
import { ReadUpTo } from './read-up-to.ts'
import type { SessionHandle } from './session-handle.ts'

/** What a handle stands on. */
export interface SessionPlace extends CommandPlace {
  readonly reading: ReadingSide
}

/** A handle over an engine's driver and reading side. */
export class Session implements SessionHandle {
  readonly id: string
  readonly #place: SessionPlace
  readonly #read: ReadUpTo

  constructor(place: SessionPlace, id: string, readUpTo: number) {
    this.id = id
    this.#place = place
    this.#read = new ReadUpTo(readUpTo)
  }

  get readUpTo(): number {
    return this.#read.revision
  }

  async append(
    messages: MessageInput | readonly MessageInput[],
    input: AppendInput = {},
  ): Promise<Outcome<AppendAnswer>> {
    const task = begin(this.#place, input)
    const prepared = this.#prepare(task, messages, input.turn)
    const { revision: readUpTo, ownSince } = this.#read
    const batch = { readUpTo, ownSince, ...input, messages: prepared, blobs: task.shelf.blobs() }
    return this.#carryOut(task, (desk) => append(desk, this.id, batch))
  }

  async edit(message: string, { text, parts, ...input }: EditInput): Promise<Outcome> {
    const task = begin(this.#place, input)
    const changed = shelveParts(parts ?? [{ type: 'text', text: text ?? '' }], task.shelf)
    const whole = { ...input, message, parts: changed, blobs: task.shelf.blobs() }
    return this.#carryOut(task, (desk) => edit(desk, this.id, whole))
  }

  rewind(input: RewindInput): Promise<Outcome<RewindAnswer>> {
    return this.#simply(input, (desk) => rewind(desk, this.id, input))
  }

  undo(undoId?: string, options: CommandOptions = {}): Promise<Outcome<RewindAnswer>> {
    return this.#simply(options, (desk) => undo(desk, this.id, { undoId: undoId ?? null }))
  }

  async compact(input: CompactInput): Promise<Outcome<CompactAnswer>> {
    const task = begin(this.#place, input)
    const compaction = await prepareCompaction(this.#place.reading, this.id, input, task.shelf)
    const blobs = task.shelf.blobs()
    return this.#carryOut(task, (desk) => compact(desk, this.id, { ...compaction, blobs }))
  }

  undoCompaction(compaction?: string, options: CommandOptions = {}): Promise<Outcome<{ readonly compaction: string }>> {
    return this.#simply(options, (desk) => undoCompaction(desk, this.id, { compaction: compaction ?? null }))
  }

  compactionFailed(
    reason: string,
    { cooldownUntil, ...options }: CommandOptions & { readonly cooldownUntil?: number } = {},
  ): Promise<Outcome> {
    const failure = { reason, ...(cooldownUntil === undefined ? {} : { cooldownUntil }) }
    return this.#simply(options, (desk) => compactionFailed(desk, this.id, failure))
  }

  async prune(message: string, { parts, why, ...input }: PruneInput): Promise<Outcome> {
    const task = begin(this.#place, input)
    const form: readonly Part[] | null = parts && shelveParts(parts, task.shelf)
    return this.#carryOut(task, (desk) =>
      prune(desk, this.id, { message, parts: form, why, blobs: task.shelf.blobs() }),
    )
  }

  async rotate(input: RotateInput = {}): Promise<Outcome<RotateAnswer>> {
    const { compaction, pending = [], ...rest } = input
    const task = begin(this.#place, input)
    const prepared = this.#prepare(task, pending, input.turn)
    const planned = compaction && (await prepareCompaction(this.#place.reading, this.id, compaction, task.shelf))
    const whole = {
      ...rest,
      pending: prepared,
      ...(planned ? { compaction: planned } : {}),
      blobs: task.shelf.blobs(),
    }
    return this.#carryOut(task, (desk) => rotate(desk, this.id, whole))
  }

  rename(title: string | null, input: RenameInput = {}): Promise<Outcome<RenameAnswer>> {
    return this.#simply(input, (desk) => rename(desk, this.id, { ...input, title }))
  }

  archive(options: CommandOptions & { readonly by?: 'person' | 'idle' } = {}): Promise<Outcome> {
    return this.#simply(options, (desk) => archive(desk, this.id, options))
  }

  unarchive(options: CommandOptions = {}): Promise<Outcome> {
    return this.#simply(options, (desk) => unarchive(desk, this.id))
  }

  pin(options: CommandOptions = {}): Promise<Outcome> {
    return this.set({ key: 'pinned', value: true }, options)
  }

  unpin(options: CommandOptions = {}): Promise<Outcome> {
    return this.set({ key: 'pinned', value: false }, options)
  }

  tag(tag: string, options: CommandOptions = {}): Promise<Outcome> {
    return this.set({ key: 'tag', tag, present: true }, options)
  }

  untag(tag: string, options: CommandOptions = {}): Promise<Outcome> {
    return this.set({ key: 'tag', tag, present: false }, options)
  }

  async set(setting: SettingInput, options: CommandOptions = {}): Promise<Outcome> {
    const task = begin(this.#place, options)
    const value: Setting =
      setting.key === 'system-prompt' || setting.key === 'goal'
        ? { key: setting.key, value: setting.value === null ? null : task.shelf.text(setting.value) }
        : setting
    return this.#carryOut(task, (desk) => set(desk, this.id, { setting: value, blobs: task.shelf.blobs() }))
  }

  async note({ text, ...input }: NoteInput): Promise<Outcome<{ readonly note: string }>> {
    const task = begin(this.#place, input)
    const words = text === undefined ? {} : { text: task.shelf.text(text) }
    return this.#carryOut(task, (desk) => note(desk, this.id, { ...input, ...words, blobs: task.shelf.blobs() }))
  }

  async recordUsage({ expect, actor, correlationId, causationId, ...data }: UsageInput): Promise<Outcome> {
    const options = {
      ...(expect === undefined ? {} : { expect }),
      ...(actor === undefined ? {} : { actor }),
      ...(correlationId === undefined ? {} : { correlationId }),
      ...(causationId === undefined ? {} : { causationId }),
    }
    checkUsage(data)
    return this.#simply(options, (desk) => recordUsage(desk, this.id, { type: 'UsageRecorded', data }))
  }

  end(input: EndInput): Promise<Outcome<EndAnswer>> {
    return this.#simply(input, (desk) => end(desk, this.id, input))
  }

  reopen(options: CommandOptions = {}): Promise<Outcome> {
    return this.#simply(options, (desk) => reopen(desk, this.id))
  }

  async branch(
    input: BranchInput,
  ): Promise<Outcome<{ readonly title: string | null; readonly handle: SessionHandle }>> {
    checkId('A session', input.id)
    const place = await this.#firstAppearance(input.from)
    const whole = { ...input, ...(place ? { place } : {}) }
    return this.#opened(await this.#simply(input, (desk) => branch(desk, this.id, whole)))
  }

  async spawn({ task: words, ...input }: SpawnInput = {}): Promise<
    Outcome<{ readonly parent: string; readonly handle: SessionHandle }>
  > {
    checkId('A session', input.id)
    const task = begin(this.#place, input)
    const shelved = words === undefined ? {} : { task: task.shelf.text(words) }
    const whole = { ...input, ...shelved, blobs: task.shelf.blobs() }
    return this.#opened(await task.carryOut((desk) => spawn(desk, this.id, whole)))
  }

  async report({ message, ...input }: ReportInput): Promise<Outcome<ReportAnswer>> {
    const task = begin(this.#place, input)
    const words = message === undefined ? {} : { message: task.shelf.text(message) }
    return this.#carryOut(task, (desk) => report(desk, this.id, { ...input, ...words, blobs: task.shelf.blobs() }))
  }

  startTurn(input: StartTurnInput = {}): Promise<Outcome<TurnAnswer>> {
    return this.#simply(input, (desk) => startTurn(desk, this.id, input))
  }

  renewTurn(turn: string, input: CommandOptions & { readonly leaseMs?: number } = {}): Promise<Outcome<TurnAnswer>> {
    return this.#simply(input, (desk) => renewTurn(desk, this.id, { ...input, turn }))
  }

  endTurn(
    turn: string,
    input: CommandOptions & { readonly outcome?: 'done' | 'failed' | 'cancelled' } = {},
  ): Promise<Outcome> {
    return this.#simply(input, (desk) => endTurn(desk, this.id, { ...input, turn }))
  }

  bindRoute(input: BindRouteInput): Promise<Outcome<RouteAnswer>> {
    return this.#simply(input, (desk) => bindRoute(desk, this.id, input))
  }

  releaseRoute(route: string, options: CommandOptions = {}): Promise<Outcome<RouteAnswer>> {
    return this.#simply(options, (desk) => releaseRoute(desk, this.id, { route }))
  }

  async transcript(query: TranscriptQuery = {}): Promise<TranscriptPage | Refusal> {
    const page = await this.#place.reading.transcript(this.id, query)
    if ('entries' in page && query.cursor === undefined) this.#read.read(page.revision)
    return page
  }

  async context(query: { readonly at?: Point } = {}): Promise<ContextView | Refusal> {
    const view = await this.#place.reading.context(this.id, query.at)
    if ('messages' in view) this.#read.read(view.revision)
    return view
  }

  lineage(): Promise<LineageView | Refusal> {
    return this.#place.reading.lineage(this.id)
  }

  usage(query: { readonly withDelegates?: boolean; readonly at?: Point } = {}): Promise<UsageReport | Refusal> {
    return this.#place.reading.usage({ ...query, session: this.id })
  }

  settings({ at }: { readonly at?: Point } = {}): Promise<readonly Setting[] | Refusal> {
    return this.#place.reading.settings(this.id, at)
  }

  title({ at }: { readonly at?: Point } = {}): Promise<TitleThen | Refusal> {
    return this.#place.reading.title(this.id, at)
  }

  why(message: string): Promise<WhyView | Refusal> {
    return this.#place.reading.why(this.id, message)
  }

  diff(
    from: Point,
    to: Point,
    { limit = 100 }: { readonly limit?: number } = {},
  ): Promise<SessionDifference | Refusal> {
    return this.#place.reading.difference(this.id, { from, to, limit: Math.max(1, limit) })
  }

  async events(range: Partial<StreamRange> = {}): Promise<readonly AnyRecorded[]> {
    const stream = this.#place.reading.streamOf(this.id)
    return this.#place.driver.store.readStream(stream, { limit: 1_000, ...range })
  }

  /** Views that are behind cost a branch nothing but a look at where a grown answer began. */
  async #firstAppearance(message: string): Promise<MessageRef | undefined> {
    try {
      return await this.#place.reading.firstAppearance(this.id, message)
    } catch (problem) {
      if (isRefoldError(problem, 'views-behind')) return undefined
      throw problem
    }
  }

  /** What started another session, with a handle on that. */
  #opened<X extends object>(outcome: Outcome<X>): Outcome<X & { readonly handle: SessionHandle }> {
    if (!outcome.ok) return outcome
    return { ...outcome, handle: new Session(this.#place, outcome.session, outcome.revision) }
  }

  #prepare(
    { key, shelf }: Task,
    messages: MessageInput | readonly MessageInput[],
    turn: string | undefined,
  ): readonly PreparedMessage[] {
    const { sha256 } = this.#place.driver.source
    const list = 'role' in messages ? [messages] : messages
    return prepareMessages(list, { key, shelf, sha256, ...(turn === undefined ? {} : { turn }) })
  }

  #simply<X extends object>(options: CommandOptions, decide: (desk: Desk) => Deciding<X>): Promise<Outcome<X>> {
    return this.#carryOut(begin(this.#place, options), decide)
  }

  async #carryOut<X extends object>(task: Task, decide: (desk: Desk) => Deciding<X>): Promise<Outcome<X>> {
    const outcome = await task.carryOut(decide)
    if (outcome.ok && outcome.session === this.id && !outcome.repeated)
      this.#read.appended(outcome.revision, outcome.events.length)
    return outcome
  }
}
