import { sessionStream, type EventStore, type MessageRef, type Setting } from '@refold/events'
import { lookupMessage, titleAt, type TableReaders, type Tables, type TitleThen } from '@refold/projections'
import type { ContextView } from '../answers/context-view.ts'
import type { SessionDifference } from '../answers/difference.ts'
import type { LineageView } from '../answers/lineage-view.ts'
import type { Point } from '../answers/point.ts'
import type { ReplayedList, ReplayOptions } from '../answers/replayed-list.ts'
import type { ListQuery, SessionList } from '../answers/session-list.ts'
import type { TranscriptPage, TranscriptQuery } from '../answers/transcript-page.ts'
import type { UsageQuery, UsageReport } from '../answers/usage-report.ts'
import type { WhyView } from '../answers/why-view.ts'
import type { CompactedContext } from '../commands/compact.ts'
import { refuse, type Refusal } from '../refusal.ts'
import type { Source } from '../source.ts'
import type { Views } from '../views/views.ts'
import { compactedContext, type CompactionWish } from './compacted-context.ts'
import { readContext } from './read-context.ts'
import { readDifference } from './read-difference.ts'
import { readLineage } from './read-lineage.ts'
import { readList } from './read-list.ts'
import { readSettings } from './read-settings.ts'
import { readTranscript } from './read-transcript.ts'
import { readUsage } from './read-usage.ts'
import { readWhy } from './read-why.ts'
import { replay } from './replay.ts'
import { revisionAt } from './revision-at.ts'

/** What queries stand on. Rows are brought up to the log's head before each of them. */
export interface ReadingPlace {
  readonly store: EventStore
  readonly views: Views<Tables>
  readonly namespace: string
  readonly source: Source
}

/** The reading side of one engine: rows, then the events and blobs that they refer to, then the answer. */
export class ReadingSide {
  readonly place: ReadingPlace

  constructor(place: ReadingPlace) {
    this.place = place
  }

  streamOf(session: string): string {
    return sessionStream({ namespace: this.place.namespace, session })
  }

  rows<T>(work: (rows: TableReaders) => T): Promise<T> {
    return this.place.views.read(work)
  }

  list(query: ListQuery): Promise<SessionList | Refusal> {
    return readList(this.place, query)
  }

  transcript(session: string, { at, ...query }: TranscriptQuery): Promise<TranscriptPage | Refusal> {
    return this.#asOf(session, at, (revision) =>
      readTranscript(this.place, session, revision === undefined ? query : { ...query, at: revision }),
    )
  }

  context(session: string, at: Point | undefined): Promise<ContextView | Refusal> {
    return this.#asOf(session, at, (revision) => readContext(this.place, session, revision))
  }

  why(session: string, message: string): Promise<WhyView | Refusal> {
    return this.#ofLiving(session, () => readWhy(this.place, session, message))
  }

  difference(
    session: string,
    query: { readonly from: Point; readonly to: Point; readonly limit: number },
  ): Promise<SessionDifference | Refusal> {
    return this.#ofLiving(session, () => readDifference(this.place, session, query))
  }

  title(session: string, at: Point | undefined): Promise<TitleThen | Refusal> {
    return this.#asOf(session, at, (revision) => this.rows((rows) => titleAt(rows, this.streamOf(session), revision)))
  }

  replay(options: ReplayOptions): Promise<ReplayedList | Refusal> {
    return replay(this.place, options)
  }

  compactedContext(session: string, wish: CompactionWish): Promise<CompactedContext> {
    return compactedContext(this.place, session, wish)
  }

  lineage(session: string): Promise<LineageView | Refusal> {
    return this.#ofLiving(session, () => readLineage(this.place, session))
  }

  usage(query: UsageQuery): Promise<UsageReport | Refusal> {
    const { session, at } = query
    if (session === undefined) return readUsage(this.place, query, undefined)
    return this.#asOf(session, at, (revision) => readUsage(this.place, query, revision))
  }

  settings(session: string, at: Point | undefined): Promise<readonly Setting[] | Refusal> {
    return this.#asOf(session, at, (revision) => readSettings(this.place, session, revision))
  }

  /** Where a message first appeared, by its own session's log; undefined when there is none. */
  async firstAppearance(session: string, message: string): Promise<MessageRef | undefined> {
    return this.rows((rows) => {
      const found = lookupMessage(rows, this.streamOf(session), message)
      const owner = found && rows.tips.get(found.first.stream)
      return found && owner ? { message, session: owner.session, revision: found.first.revision } : undefined
    })
  }

  /** Asks of the past, where a point is given, by its revision. */
  #asOf<T>(
    session: string,
    point: Point | undefined,
    query: (revision: number | undefined) => Promise<T | Refusal>,
  ): Promise<T | Refusal> {
    return this.#ofLiving(session, async () => {
      if (point === undefined) return query(undefined)
      const revision = await revisionAt(this.place, { session, stream: this.streamOf(session) }, point)
      return typeof revision === 'number' ? query(revision) : revision
    })
  }

  /** Deleted sessions show nothing, at once and everywhere. */
  async #ofLiving<T>(session: string, query: () => Promise<T | Refusal>): Promise<T | Refusal> {
    const tip = await this.rows((rows) => rows.tips.get(this.streamOf(session)))
    if (!tip) return refuse('session-not-found', { name: session })
    return tip.deleted ? refuse('session-deleted', { session }) : query()
  }
}
