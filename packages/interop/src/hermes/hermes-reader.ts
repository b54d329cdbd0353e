import { buildConversation } from './build-conversation.ts'
import type { Clock } from './clock.ts'
import type { HermesConversation } from './conversation.ts'
import { hermesSource, type HermesSource } from './hermes-source.ts'
import type { KnownPlaces } from './known-place.ts'
import type { MessageRow } from './message-row.ts'
import { openReadOnly, type ReadOnlyStore } from './open-read-only.ts'
import type { RawRow } from './raw-row.ts'
import { talkReader } from './read-group.ts'
import { groupByOrigin } from './skeleton.ts'
import { type HermesSurvey, type Surveyed, surveyStore } from './survey.ts'

/** A Hermes store that is open for reading, in one snapshot. */
export interface HermesReader {
  readonly survey: HermesSurvey
  readonly openedAs: 'in place' | 'copy'
  /** The source changed all the while it was copied. */
  readonly unsettled: boolean
  /**
   * All conversations, an origin before its branches and strays. One lineage's rows are held at a time.
   * The sum of their `rowCount` reaches `survey.totals.messageRows`, less the rows that belong to no session.
   */
  conversations(): IterableIterator<HermesConversation>
  /** The same snapshot read so that what an earlier reading made of its sessions stands. Closing either closes both. */
  accordingTo(known: KnownPlaces): HermesReader
  /** The rows of any table, for what the reader does not understand. */
  rawRows(table: string): readonly RawRow[]
  close(): void
}

/**
 * Opens a `state.db` without touching it.
 *
 * @param now epoch seconds; message times later than a day after it count as absurd
 *
 * @example
 * const reader = openHermes('state.db', { now: 1_785_000_000 })
 * for (const { rootId, title } of reader.conversations()) print(rootId, title)
 * reader.close()
 */
export function openHermes(path: string, clock: { readonly now: number }): HermesReader {
  const store = openReadOnly(path)
  try {
    const source = hermesSource(store.database)
    return readerOf(store, source, surveyStore(source, clock), clock)
  } catch (problem) {
    store.close()
    throw problem
  }
}

function readerOf(store: ReadOnlyStore, source: HermesSource, surveyed: Surveyed, clock: Clock): HermesReader {
  return {
    survey: surveyed.survey,
    openedAs: store.how,
    unsettled: store.unsettled,
    conversations: function* () {
      for (const group of groupByOrigin(surveyed.skeletons)) {
        const fetched = new Map<string, readonly MessageRow[]>()
        const rowsOf = (session: string): readonly MessageRow[] => {
          const rows = fetched.get(session) ?? source.messagesOf(session)
          fetched.set(session, rows)
          return rows
        }
        const read = talkReader(surveyed.skeletons, rowsOf)
        for (const skeleton of group) yield buildConversation(skeleton, read(skeleton), rowsOf, surveyed, clock)
      }
    },
    accordingTo: (known) => readerOf(store, source, surveyStore(source, clock, known), clock),
    rawRows: (table) => source.all(table),
    close: () => {
      store.close()
    },
  }
}
