import type { AnyRecorded, EventStore } from '@refold/events'
import type { ReplayedList, ReplayOptions } from '../answers/replayed-list.ts'
import type { SearchOptions, SearchPage, SearchQuery } from '../answers/search-page.ts'
import type { ListQuery, SessionList } from '../answers/session-list.ts'
import type { UsageQuery, UsageReport } from '../answers/usage-report.ts'
import { importBundle, type BundleImport, type BundleReport } from '../bundles/import-bundle.ts'
import type { Bytes } from '../bundles/read-bundle.ts'
import { writeBundle } from '../bundles/write-bundle.ts'
import type { CommandOptions } from '../commands/command-options.ts'
import type { DeleteAnswer, DeleteInput, DeletionPlan } from '../commands/delete.ts'
import type { RestoreAnswer } from '../commands/restore.ts'
import type { StartInput } from '../commands/start.ts'
import { restore } from '../commands/restore.ts'
import { start } from '../commands/start.ts'
import { streamOf } from '../deciding/desk.ts'
import type { DoctorOptions, DoctorReport } from '../doctor/doctor-report.ts'
import { purge, purgePlanOf } from '../forgetting/purge.ts'
import type { PurgeOptions, PurgePlan, PurgeReceipt } from '../forgetting/purge-answer.ts'
import { importFacts, wholeStream } from '../importing/import-door.ts'
import type { ImportFacts, ImportReport } from '../importing/import-facts.ts'
import type { Outcome } from '../outcome.ts'
import { openPrivateSession } from '../private/private-session.ts'
import type { Refusal } from '../refusal.ts'
import { refuse } from '../refusal.ts'
import type { Feed, WatchMessage, WatchOptions, WatchQuery } from '../watching/watch-query.ts'
import { searchMessages } from '../search/search-messages.ts'
import { begin } from './command-desk.ts'
import { checkId } from './check-id.ts'
import { carryOutDeletion, planDeletion } from './deleting.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Engine, Opened, RouteTarget, WaitPoint } from './engine.ts'
import { findRoute } from './find-route.ts'
import { rebuildViews, type RebuildViewsOptions, type RebuiltViews } from './rebuild-views.ts'
import { sessionById, sessionByName } from './resolve.ts'
import { Session } from './session.ts'
import type { PrivateSession, SessionHandle } from './session-handle.ts'
import { waitFor } from './wait-for.ts'

export class RefoldEngine implements Engine {
  readonly namespace: string
  readonly store: EventStore
  readonly #place: EngineParts

  constructor(place: EngineParts) {
    this.namespace = place.namespace
    this.store = place.driver.store
    this.#place = place
  }

  async start({ delegateOf, ...input }: StartInput = {}): Promise<Outcome<Opened>> {
    checkId('A session', input.id)
    if (delegateOf !== undefined) return this.#spawn(delegateOf, input)
    const left = input.resetOf === undefined ? undefined : await sessionByName(this.#place, input.resetOf)
    if (left && !left.ok) return left
    const { systemPrompt, ...rest } = input
    const task = begin(this.#place, input)
    const whole = {
      ...rest,
      ...(left ? { resetOf: left.session } : {}),
      ...(systemPrompt === undefined ? {} : { systemPrompt: task.shelf.text(systemPrompt) }),
      blobs: task.shelf.blobs(),
    }
    return this.#opened(await task.carryOut((desk) => start(desk, whole)))
  }

  async session(name: string): Promise<({ readonly ok: true; readonly session: string } & Opened) | Refusal> {
    const found = await sessionByName(this.#place, name)
    if (!found.ok) return found
    return { ok: true, session: found.session, handle: this.#handle(found.session, found.revision) }
  }

  route(route: string): Promise<RouteTarget> {
    return findRoute(this.#place, route)
  }

  list(query: ListQuery = {}): Promise<SessionList | Refusal> {
    return this.#place.reading.list(query)
  }

  async usage(query: UsageQuery = {}): Promise<UsageReport | Refusal> {
    if (query.session === undefined) return this.#place.reading.usage(query)
    const found = await sessionByName(this.#place, query.session)
    return found.ok ? this.#place.reading.usage({ ...query, session: found.session }) : found
  }

  replay(options: ReplayOptions = {}): Promise<ReplayedList | Refusal> {
    return this.#place.reading.replay(options)
  }

  async search(text: string, query: SearchQuery = {}, options: SearchOptions = {}): Promise<SearchPage | Refusal> {
    const place = { ...this.#place.reading.place, index: this.#place.search }
    if (query.session === undefined) return searchMessages(place, text, query, options)
    const found = await sessionByName(this.#place, query.session)
    return found.ok ? searchMessages(place, text, { ...query, session: found.session }, options) : found
  }

  followSearch(): () => void {
    return this.#place.search.follow()
  }

  deletionPlan(sessions: readonly string[]): Promise<({ readonly ok: true } & DeletionPlan) | Refusal> {
    return planDeletion(this.#place, sessions)
  }

  delete(sessions: readonly string[], options: DeleteInput = {}): Promise<Outcome<DeleteAnswer>> {
    return carryOutDeletion(this.#place, sessions, options)
  }

  async restore(session: string, options: CommandOptions = {}): Promise<Outcome<RestoreAnswer>> {
    const found = await sessionById(this.#place, session)
    if (!found) return refuse('session-not-found', { name: session })
    return begin(this.#place, options).carryOut((desk) => restore(desk, found.session))
  }

  purgePlan(sessions: readonly string[]): Promise<PurgePlan | Refusal> {
    return purgePlanOf(this.#place, sessions)
  }

  purge(sessions: readonly string[], options: PurgeOptions = {}): Promise<PurgeReceipt | Refusal> {
    return purge(this.#place, sessions, options)
  }

  importFacts(facts: ImportFacts): Promise<ImportReport> {
    return importFacts(this.#place, facts)
  }

  async factsOf(session: string): Promise<readonly AnyRecorded[]> {
    checkId('A session', session)
    return wholeStream(this.store, streamOf(this.#place, session))
  }

  async exportBundle(
    names: readonly string[] | 'all',
  ): Promise<
    { readonly ok: true; readonly sessions: number | null; readonly pieces: AsyncIterable<string> } | Refusal
  > {
    const { namespace, store } = this
    const streams: string[] = []
    for (const name of names === 'all' ? [] : names) {
      const found = await sessionByName(this.#place, name)
      if (!found.ok) return found
      streams.push(streamOf(this.#place, found.session))
    }
    const { sha256 } = this.#place.driver.source
    const chosen = names === 'all' ? ('all' as const) : streams
    const pieces = writeBundle({ store, sha256 }, { namespace, streams: chosen })
    return { ok: true, sessions: chosen === 'all' ? null : new Set(streams).size, pieces }
  }

  importBundle(open: () => Bytes, options: BundleImport = {}): Promise<BundleReport> {
    return importBundle(this.#place, open, options)
  }

  async privateSession(input: StartInput = {}): Promise<Outcome<{ readonly handle: PrivateSession }>> {
    checkId('A session', input.id)
    return openPrivateSession(this.#place, input)
  }

  async watch<Q extends WatchQuery>(
    query: Q,
    options: WatchOptions = {},
  ): Promise<{ readonly ok: true; readonly feed: Feed<WatchMessage<Q['query']>> } | Refusal> {
    let asked: WatchQuery = query
    if ('session' in query && query.session !== undefined) {
      const found = await sessionByName(this.#place, query.session)
      if (!found.ok) return found
      asked = { ...query, session: found.session }
    }
    const feed = await this.#place.watching.watch(asked, options)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer to a query has that query's rows
    return { ok: true, feed: feed as Feed<WatchMessage<Q['query']>> }
  }

  rebuild(options: RebuildViewsOptions = {}): Promise<RebuiltViews> {
    return rebuildViews(this.#place, options)
  }

  doctor(options: DoctorOptions = {}): Promise<DoctorReport> {
    return this.#place.doctor(options)
  }

  waitFor(point: WaitPoint, { signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    return waitFor(this.#place, point, signal)
  }

  close(): Promise<void> {
    return this.#place.close()
  }

  async #spawn(parent: string, input: Omit<StartInput, 'delegateOf'>): Promise<Outcome<Opened>> {
    const found = await sessionByName(this.#place, parent)
    if (!found.ok) return found
    return this.#opened(await this.#handle(found.session, found.revision).spawn(input))
  }

  #opened(outcome: Outcome): Outcome<Opened> {
    return outcome.ok ? { ...outcome, handle: this.#handle(outcome.session, outcome.revision) } : outcome
  }

  #handle(session: string, revision: number): SessionHandle {
    return new Session(this.#place, session, revision)
  }
}
