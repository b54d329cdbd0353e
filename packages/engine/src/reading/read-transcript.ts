import { sessionStream } from '@refold/events'
import {
  renderTranscript,
  statusWord,
  transcriptPage,
  transcriptRefs,
  type PlannedEntry,
  type StatusWord,
  type TableReaders,
} from '@refold/projections'
import type { TranscriptPage, TranscriptQuery } from '../answers/transcript-page.ts'
import { refuse, type Refusal } from '../refusal.ts'
import { atOneMoment } from './at-one-moment.ts'
import { fetchContent } from './fetch-content.ts'
import type { ReadingPlace } from './reading-side.ts'

/** What rows say of a page of a transcript, all at one moment; its words are still to be fetched. */
export interface TranscriptPlan {
  readonly ok: true
  readonly entries: readonly PlannedEntry[]
  readonly cursor: string | null
  /** The turn that is at work; null in the past. */
  readonly liveTurn: string | null
  /** By the delegate's stream; empty in the past, when one that had not reported was at work. */
  readonly delegates: ReadonlyMap<string, StatusWord>
}

const NONE: TranscriptPlan['delegates'] = new Map()

/** A page of what a person reads. */
export async function readTranscript(
  place: ReadingPlace,
  session: string,
  { at, ...query }: Omit<TranscriptQuery, 'at'> & { readonly at?: number },
): Promise<TranscriptPage | Refusal> {
  const stream = sessionStream({ namespace: place.namespace, session })
  const now = place.source.now()
  const { revision, result } = await atOneMoment(place, stream, at, (rows, asOf) => {
    const plan = planTranscript(rows, stream, { ...query, ...(asOf === undefined ? {} : { at: asOf }) }, now)
    const isPast = at !== undefined && asOf !== undefined
    return plan.ok && isPast ? { ...plan, liveTurn: null, delegates: NONE } : plan
  })
  return result.ok ? { session, revision, ...(await writeTranscript(place, result)) } : result
}

export function planTranscript(
  rows: TableReaders,
  stream: string,
  query: Omit<TranscriptQuery, 'at'> & { readonly at?: number },
  now: number,
): TranscriptPlan | Refusal {
  const page = transcriptPage(rows, stream, query)
  if (!page.ok) return refuse('bad-cursor', { cursor: page.cursor })
  const tip = rows.tips.get(stream)
  const delegates = new Map<string, StatusWord>()
  for (const { marker } of page.entries) {
    const row = marker.stream === undefined ? undefined : rows.tips.get(marker.stream)
    if (row) delegates.set(row.stream, statusWord(row, now))
  }
  return { ...page, liveTurn: tip && tip.leaseUntil > now ? tip.turn : null, delegates }
}

export async function writeTranscript(
  { store }: Pick<ReadingPlace, 'store'>,
  { entries, cursor, liveTurn, delegates }: TranscriptPlan,
): Promise<Pick<TranscriptPage, 'entries' | 'cursor'>> {
  const content = await fetchContent(store, transcriptRefs(entries))
  const around = { liveTurn, delegateStatus: (delegate: string) => delegates.get(delegate) }
  return { entries: renderTranscript(entries, content, around), cursor }
}
