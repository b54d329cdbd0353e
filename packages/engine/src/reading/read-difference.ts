import { sessionStream, type EventStore } from '@refold/events'
import {
  absences,
  contextChanges,
  renderTranscript,
  settingsOf,
  shownAt,
  titleAt,
  transcriptChanges,
  transcriptRefs,
  usageReport,
  type PlannedEntry,
  type TableReaders,
  type TitleThen,
  type TranscriptChanges,
  type TranscriptEntry,
} from '@refold/projections'
import type { Change, PointReached, SessionDifference } from '../answers/difference.ts'
import type { Point } from '../answers/point.ts'
import type { UsageLine } from '../answers/usage-report.ts'
import type { Refusal } from '../refusal.ts'
import { contextDifference } from './context-difference.ts'
import { fetchContent } from './fetch-content.ts'
import { planContext, writeContext, type PlannedContext } from './read-context.ts'
import type { ReadingPlace } from './reading-side.ts'
import { revisionAt } from './revision-at.ts'
import { settingsDifference, type SettingsThen } from './settings-difference.ts'

/** What a session was as of one revision, without its transcript. */
interface Then {
  readonly messages: number
  readonly planned: PlannedContext
  readonly title: TitleThen
  readonly settings: SettingsThen
  readonly usage: UsageLine
}

/** What became of a session between two points, in whichever order; `limit` bounds each list. */
export async function readDifference(
  place: ReadingPlace,
  session: string,
  { from, to, limit }: { readonly from: Point; readonly to: Point; readonly limit: number },
): Promise<SessionDifference | Refusal> {
  const { namespace, store, views } = place
  const stream = sessionStream({ namespace, session })
  const a = await revisionAt(place, { session, stream }, from)
  if (typeof a !== 'number') return a
  const b = await revisionAt(place, { session, stream }, to)
  if (typeof b !== 'number') return b
  const { before, after, entries, why } = await views.read((rows) => {
    const [then, now] = [thenOf(rows, namespace, stream, a), thenOf(rows, namespace, stream, b)]
    const absent = absences(rows, stream, b)
    const { removed } = contextChanges(then.planned.plan, now.planned.plan)
    return {
      before: then,
      after: now,
      entries: transcriptChanges(rows, stream, a, b, limit),
      why: removed.slice(0, limit).map(({ kind, id }) => absent(kind, id)),
    }
  })
  const contexts = {
    before: { ...before.planned, ...(await writeContext(place, before.planned)) },
    after: { ...after.planned, ...(await writeContext(place, after.planned)) },
  }
  return {
    session,
    from: await reached(store, stream, a),
    to: await reached(store, stream, b),
    transcript: {
      messages: { before: before.messages, after: after.messages },
      ...(await written(store, entries)),
    },
    context: contextDifference(contexts, why, limit),
    title:
      before.title.title === after.title.title && before.title.titleBy === after.title.titleBy
        ? null
        : { before: before.title, after: after.title },
    ...(await settingsDifference(store, stream, { before: before.settings, after: after.settings })),
    usage: { before: before.usage, after: after.usage },
  }
}

function thenOf(rows: TableReaders, namespace: string, stream: string, at: number): Then {
  return {
    messages: shownAt(rows, stream, at),
    planned: planContext(rows, stream, at),
    title: titleAt(rows, stream, at),
    settings: settingsOf(rows, stream, at),
    usage: usageReport(rows, { namespace, stream, at }).total,
  }
}

async function reached(store: EventStore, stream: string, revision: number): Promise<PointReached> {
  const [event] = revision < 0 ? [] : await store.readEvents([{ stream, revision }])
  return { revision, at: event?.recordedAt ?? null }
}

async function written(
  store: EventStore,
  { gained, lost, changed }: TranscriptChanges,
): Promise<Pick<SessionDifference['transcript'], 'gained' | 'lost' | 'changed'>> {
  const pairs = changed.entries.flatMap(({ before, after }) => [before, after])
  const content = await fetchContent(store, transcriptRefs([...gained.entries, ...lost.entries, ...pairs]))
  const write = (entries: readonly PlannedEntry[]): readonly TranscriptEntry[] => renderTranscript(entries, content)
  const both = changed.entries.flatMap(({ before, after }): readonly Change<TranscriptEntry>[] => {
    const [was, is] = write([before, after])
    return was && is ? [{ before: was, after: is }] : []
  })
  return {
    gained: { count: gained.count, entries: write(gained.entries) },
    lost: { count: lost.count, entries: write(lost.entries) },
    changed: { count: changed.count, entries: both },
  }
}
