import { sessionStream, type EventStore, type MessageRef, type Setting } from '@refold/events'
import { lookupMessage, type TableReaders, type Tables } from '@refold/projections'
import type { ContextView } from '../answers/context-view.ts'
import type { LineageView } from '../answers/lineage-view.ts'
import type { ListQuery, SessionList } from '../answers/session-list.ts'
import type { TranscriptPage, TranscriptQuery } from '../answers/transcript-page.ts'
import type { UsageQuery, UsageReport } from '../answers/usage-report.ts'
import type { CompactedContext } from '../commands/compact.ts'
import { refuse, type Refusal } from '../refusal.ts'
import type { Source } from '../source.ts'
import type { Views } from '../views/views.ts'
import { compactedContext, type CompactionWish } from './compacted-context.ts'
import { readContext } from './read-context.ts'
import { readLineage } from './read-lineage.ts'
import { readList } from './read-list.ts'
import { readSettings } from './read-settings.ts'
import { readTranscript } from './read-transcript.ts'
import { readUsage } from './read-usage.ts'

/** What queries stand on. Rows are brought up to the log's head before each of them. */
export interface ReadingPlace {
  readonly store: EventStore
  readonly views: Views<Tables>
  readonly namespace: string
  readonly source: Source
}

/** The reading side of one engine: rows, then the events and blobs that they refer to, then the answer. */
export class ReadingSide {
  readonly #place: ReadingPlace

  constructor(place: ReadingPlace) {
    this.#place = place
  }

  streamOf(session: string): string {
    return sessionStream({ namespace: this.#place.namespace, session })
  }

  rows<T>(work: (rows: TableReaders) => T): Promise<T> {
    return this.#place.views.read(work)
  }

  list(query: ListQuery): Promise<SessionList | Refusal> {
    return readList(this.#place, query)
  }

  transcript(session: string, query: TranscriptQuery): Promise<TranscriptPage | Refusal> {
    return this.#ofLiving(session, () => readTranscript(this.#place, session, query))
  }

  context(session: string, at: number | undefined): Promise<ContextView | Refusal> {
    return this.#ofLiving(session, () => readContext(this.#place, session, at))
  }

  compactedContext(session: string, wish: CompactionWish): Promise<CompactedContext> {
    return compactedContext(this.#place, session, wish)
  }

  lineage(session: string): Promise<LineageView | Refusal> {
    return this.#ofLiving(session, () => readLineage(this.#place, session))
  }

  usage(query: UsageQuery): Promise<UsageReport | Refusal> {
    const { session } = query
    const report = (): Promise<UsageReport> => readUsage(this.#place, query)
    return session === undefined ? report() : this.#ofLiving(session, report)
  }

  settings(session: string): Promise<readonly Setting[] | Refusal> {
    return this.#ofLiving(session, () => readSettings(this.#place, session))
  }

  /** Where a message first appeared, by its own session's log; undefined when there is none. */
  async firstAppearance(session: string, message: string): Promise<MessageRef | undefined> {
    return this.rows((rows) => {
      const found = lookupMessage(rows, this.streamOf(session), message)
      const owner = found && rows.tips.get(found.first.stream)
      return found && owner ? { message, session: owner.session, revision: found.first.revision } : undefined
    })
  }

  /** Deleted sessions show nothing, at once and everywhere. */
  async #ofLiving<T>(session: string, query: () => Promise<T>): Promise<T | Refusal> {
    const tip = await this.rows((rows) => rows.tips.get(this.streamOf(session)))
    if (!tip) return refuse('session-not-found', { name: session })
    return tip.deleted ? refuse('session-deleted', { session }) : query()
  }
}
