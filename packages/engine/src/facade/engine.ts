import type { DoctorOptions, DoctorReport } from '../doctor/doctor-report.ts'
import type { Tables } from '@refold/projections'
import type { Actor, AnyRecorded, Durability, EventStore } from '@refold/events'
import type { ReplayedList, ReplayOptions } from '../answers/replayed-list.ts'
import type { SearchOptions, SearchPage, SearchQuery } from '../answers/search-page.ts'
import type { ListQuery, SessionList } from '../answers/session-list.ts'
import type { UsageQuery, UsageReport } from '../answers/usage-report.ts'
import type { BundleImport, BundleReport } from '../bundles/import-bundle.ts'
import type { Bytes } from '../bundles/read-bundle.ts'
import type { CommandOptions } from '../commands/command-options.ts'
import type { DeleteAnswer, DeleteInput, DeletionPlan } from '../commands/delete.ts'
import type { RestoreAnswer } from '../commands/restore.ts'
import type { StartInput } from '../commands/start.ts'
import type { PurgeOptions, PurgePlan, PurgeReceipt } from '../forgetting/purge-answer.ts'
import type { ImportFacts, ImportReport } from '../importing/import-facts.ts'
import type { Outcome } from '../outcome.ts'
import type { Refusal } from '../refusal.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { Source } from '../source.ts'
import type { Views } from '../views/views.ts'
import type { Feed, WatchMessage, WatchOptions, WatchQuery } from '../watching/watch-query.ts'
import type { RebuildViewsOptions, RebuiltViews } from './rebuild-views.ts'
import type { PrivateSession, SessionHandle } from './session-handle.ts'

interface EngineSettings {
  /** One user's or tenant's world. Absent: `default`. */
  readonly namespace?: string
  /** Who acts where a command says nothing else. Absent: the agent `refold`. */
  readonly actor?: Actor
  /** Time, randomness and hash. Absent: the machine's. */
  readonly source?: Source
}

/** Over a SQLite file, made if it is not there. */
export interface OpenFile extends EngineSettings {
  readonly file: string
  /** When an append resolves: on disk (absent), or in the operating system. */
  readonly durability?: Extract<Durability, 'disk' | 'system'>
  readonly readOnly?: boolean
  /** False: throws `store-missing` instead of making the file. */
  readonly create?: boolean
}

/** Over a store that is open already; closing the engine leaves it open. */
export interface OpenStore extends EngineSettings {
  readonly store: EventStore
  /** Views over that store. Absent: views in memory. */
  readonly views?: Views<Tables>
  /** The words of that store. Absent: an index in memory. */
  readonly search?: SearchIndex
}

export type OpenOptions = OpenFile | OpenStore

/** What `start` and `session` give on success: the outcome's fields, and the handle. */
export interface Opened {
  readonly handle: SessionHandle
}

/** Where an outside address leads. */
export interface RouteTarget {
  /** Null where it leads nowhere. */
  readonly session: string | null
  /** How often it was bound; to be given with the append of what came by it. */
  readonly generation: number
}

/** A place in the log to wait for. */
export type WaitPoint = { readonly position: number } | { readonly session: string; readonly revision: number }

/**
 * Everything about the sessions of one namespace. Safe for many callers, and for many engines on one file.
 *
 * Commands and look-ups answer refusals as values (`ok: false`, `code`, `message`); a `RefoldError` is thrown only for what
 * no caller could foresee. Close it when done.
 */
export interface Engine {
  readonly namespace: string
  readonly store: EventStore

  /** Starts a session. */
  start(input?: StartInput): Promise<Outcome<Opened>>
  /**
   * Finds a session by id, by any id it ever had, by exact title, or by a unique prefix (3 characters at least) of an id or
   * title, in this order. A deleted one is found by id only, so that it can be restored.
   */
  session(name: string): Promise<({ readonly ok: true; readonly session: string } & Opened) | Refusal>

  /** Which session an outside address leads to, whatever became of that session's segments. */
  route(route: string): Promise<RouteTarget>

  list(query?: ListQuery): Promise<SessionList | Refusal>
  usage(query?: UsageQuery): Promise<UsageReport | Refusal>

  /**
   * Finds messages and notes by what they say, in all living sessions, just as transcripts show them: words (all of them),
   * `"phrases"`, `-without`, `one OR other`, `begin*`. Any text is a query. What the index lacks is taken in first, which for a
   * long log takes its time the first time.
   */
  search(text: string, query?: SearchQuery, options?: SearchOptions): Promise<SearchPage | Refusal>
  /** Keeps the index up to date from now on, for programs that stay; returns how to stop. */
  followSearch(): () => void
  /**
   * Folds the log anew, in memory, up to a point, and lists the sessions as they were then; what was deleted since is among
   * them, what was erased stays so. Rejects with the signal's reason when cancelled.
   */
  replay(options?: ReplayOptions): Promise<ReplayedList | Refusal>

  /** What `delete` would do. Ids only, no titles. */
  deletionPlan(sessions: readonly string[]): Promise<({ readonly ok: true } & DeletionPlan) | Refusal>
  /** Hides sessions and their delegates everywhere, at once, until restored. An empty list deletes nothing. */
  delete(sessions: readonly string[], options?: DeleteInput): Promise<Outcome<DeleteAnswer>>
  /** Brings back a deleted session and the delegates that the same deletion took. */
  restore(session: string, options?: CommandOptions): Promise<Outcome<RestoreAnswer>>

  /** What `purge` would erase and keep. */
  purgePlan(sessions: readonly string[]): Promise<PurgePlan | Refusal>
  /**
   * Erases for good what deleted sessions said, and the deleted delegates under them; keeps what a living branch begins with.
   * Asked again it finishes a cleaning that was cut short. Throws `cannot-erase` where the store cannot.
   */
  purge(sessions: readonly string[], options?: PurgeOptions): Promise<PurgeReceipt | Refusal>

  /** An importer's door: facts go into the log past the rules of commands, each event id once. */
  importFacts(facts: ImportFacts): Promise<ImportReport>
  /** Everything that the log holds of one session, so that an importer can append the difference; empty when there is none. */
  factsOf(session: string): Promise<readonly AnyRecorded[]>

  /**
   * The lines of an export of some sessions (by any of their names) or of all, deleted ones included: see
   * `docs/integrity.md`. Throws `store-damaged` or `blob-missing` where the log does not hold what was recorded.
   */
  exportBundle(
    sessions: readonly string[] | 'all',
  ): Promise<{ readonly ok: true; readonly sessions: number | null; readonly pieces: AsyncIterable<string> } | Refusal>
  /** Brings an export in, event by event as it was recorded; `open` gives its bytes from the beginning, twice. */
  importBundle(open: () => Bytes, options?: BundleImport): Promise<BundleReport>

  /** A session that is not written down unless it is promoted. */
  privateSession(input?: StartInput): Promise<Outcome<{ readonly handle: PrivateSession }>>

  /**
   * Follows a query: a snapshot, then what changes in it, whoever writes. `followFeed` makes the rows of any moment of it.
   * Throws in the iteration what reading would throw.
   */
  watch<Q extends WatchQuery>(
    query: Q,
    options?: WatchOptions,
  ): Promise<{ readonly ok: true; readonly feed: Feed<WatchMessage<Q['query']>> } | Refusal>

  /**
   * Makes views anew from the log, beside those that readers go on to see, and swaps each at once. Rejects with the signal's
   * reason when cancelled, the views as they were; asked for again, it goes on where it was.
   */
  rebuild(options?: RebuildViewsOptions): Promise<RebuiltViews>

  /**
   * Looks at the whole store: log, claims, texts, stored views row by row, search index; with `repair` mends what needs no
   * guess. See `docs/doctor.md`. Views in memory are not compared; `doctorOfFile` sees a file before an engine opens it.
   */
  doctor(options?: DoctorOptions): Promise<DoctorReport>

  /** Resolves when this engine's reads include that point, however long that takes; rejects with the signal's reason. */
  waitFor(point: WaitPoint, options?: { readonly signal?: AbortSignal }): Promise<void>
  close(): Promise<void>
}

/** Opens an engine: `const engine = await openEngine({ file: 'agent.db' })`. */
export type OpenEngine = (options: OpenOptions) => Promise<Engine>
