import {
  levelsOf,
  lineageOf,
  listSessions,
  segmentsOf,
  sessionRow,
  usageReport,
  type FeedValue,
  type TableReaders,
} from '@refold/projections'
import { sessionStream } from '@refold/events'
import type { ReadingPlace } from '../reading/reading-side.ts'
import { planContext, writeContext } from '../reading/read-context.ts'
import { planTranscript, writeTranscript } from '../reading/read-transcript.ts'
import { refuse, type Refusal } from '../refusal.ts'
import type { LineageRow, WatchQuery } from './watch-query.ts'

/** What rows say of a query at one moment; its words are still to be fetched. */
export interface PlannedAnswer {
  readonly ok: true
  readonly value: () => Promise<FeedValue>
  /** Streams whose events alone can change it; absent: any event may. */
  readonly streams?: readonly string[]
  /** Epoch milliseconds at which the clock changes it; `Infinity` for never. */
  readonly until: number
}

export function planAnswer(
  place: ReadingPlace,
  query: WatchQuery,
  rows: TableReaders,
  now: number,
): PlannedAnswer | Refusal {
  const { namespace } = place
  if (query.query === 'list') return planList(namespace, query, rows, now)
  if (query.query === 'usage' && query.session === undefined) return planUsage(query, rows, { namespace })
  const { session = '' } = query
  const stream = sessionStream({ namespace, session })
  const tip = rows.tips.get(stream)
  if (!tip) return refuse('session-not-found', { name: session })
  if (tip.deleted) return refuse('session-deleted', { session })
  if (query.query === 'usage') return planUsage(query, rows, { namespace, stream })
  if (query.query === 'lineage') return planLineage(session, stream, rows)
  const revision = rows.transcripts.get(stream)?.revision ?? -1
  const levels = levelsOf(rows, stream).map((level) => level.stream)
  if (query.query === 'context') {
    const plan = planContext(rows, stream, undefined)
    const value = async (): Promise<FeedValue> => {
      const { messages, ...head } = await writeContext(place, plan)
      return keyed({ session, revision, ...head }, messages, ({ standsFor, id }) => `${standsFor} ${id}`)
    }
    return { ok: true, value, streams: levels, until: Infinity }
  }
  const plan = planTranscript(rows, stream, query.limit === undefined ? {} : { limit: query.limit }, now)
  if (!plan.ok) return plan
  const value = async (): Promise<FeedValue> => {
    const { entries, cursor } = await writeTranscript(place, plan)
    return keyed({ session, revision, cursor }, entries, ({ kind, id }) => `${kind} ${id}`)
  }
  const streams = [...levels, ...plan.entries.flatMap(({ marker }) => marker.stream ?? [])]
  const leases = streams.map((one) => rows.tips.get(one)?.leaseUntil ?? 0)
  return { ok: true, value, streams, until: soonest(leases, now) }
}

function planList(
  namespace: string,
  query: Extract<WatchQuery, { query: 'list' }>,
  rows: TableReaders,
  now: number,
): PlannedAnswer | Refusal {
  const { query: _, ...filter } = query
  const page = listSessions(rows, { ...filter, namespace })
  if (!page.ok) return refuse('bad-cursor', { cursor: page.cursor })
  const sessions = page.sessions.map((tip) => sessionRow(tip, segmentsOf(rows, tip), now))
  const value = async (): Promise<FeedValue> => keyed({ total: page.total }, sessions, ({ id }) => id)
  const leases = page.sessions.map(({ leaseUntil }) => leaseUntil)
  return { ok: true, value, until: soonest(leases, now) }
}

function planUsage(
  { by, withDelegates = false }: Extract<WatchQuery, { query: 'usage' }>,
  rows: TableReaders,
  of: { readonly namespace: string; readonly stream?: string },
): PlannedAnswer {
  const { lines, total } = usageReport(rows, { ...of, withDelegates, ...(by === undefined ? {} : { by }) })
  const value = async (): Promise<FeedValue> => keyed({ total }, lines, ({ group }) => group ?? '')
  return { ok: true, value, until: Infinity }
}

function planLineage(session: string, stream: string, rows: TableReaders): PlannedAnswer {
  const lineage = lineageOf(rows, stream)
  const all: readonly LineageRow[] = [
    ...(lineage?.segments ?? []).map((segment) => ({ place: 'segment' as const, kind: null, session: segment })),
    ...(lineage?.parents ?? []).map((edge) => ({ place: 'parent' as const, kind: edge.kind, session: edge.session })),
    ...(lineage?.children ?? []).map((edge) => ({ place: 'child' as const, kind: edge.kind, session: edge.session })),
  ]
  const value = async (): Promise<FeedValue> =>
    keyed({ session }, all, (row) => `${row.place} ${row.kind ?? ''} ${row.session ?? ''}`)
  return { ok: true, value, until: Infinity }
}

/** Rows that would have the same key are told apart by their number. */
function keyed<R extends object>(head: object, rows: readonly R[], keyOf: (row: R) => string): FeedValue {
  const byKey = new Map<string, R>()
  for (const row of rows) {
    const key = keyOf(row)
    let unique = key
    for (let number = 2; byKey.has(unique); number += 1) unique = `${key} ${number}`
    byKey.set(unique, row)
  }
  return { head, rows: byKey }
}

function soonest(times: readonly number[], now: number): number {
  return Math.min(Infinity, ...times.filter((time) => time > now))
}
