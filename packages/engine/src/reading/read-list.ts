import { listSessions, segmentsOf, sessionRow } from '@refold/projections'
import type { ListQuery, SessionList } from '../answers/session-list.ts'
import { refuse, type Refusal } from '../refusal.ts'
import type { ReadingPlace } from './reading-side.ts'

/** A page of the session list. */
export async function readList(
  { views, namespace, source }: ReadingPlace,
  query: ListQuery,
): Promise<SessionList | Refusal> {
  const now = source.now()
  return views.read((rows) => {
    const page = listSessions(rows, { ...query, namespace })
    if (!page.ok) return refuse('bad-cursor', { cursor: page.cursor })
    const { total, cursor } = page
    return { sessions: page.sessions.map((tip) => sessionRow(tip, segmentsOf(rows, tip), now)), total, cursor }
  })
}
