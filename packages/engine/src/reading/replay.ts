import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { AnyRecorded } from '@refold/events'
import { fold, listSessions, plainRows, segmentsOf, sessionRow, tables, type Tables } from '@refold/projections'
import type { ReplayedList, ReplayOptions } from '../answers/replayed-list.ts'
import { refuse, type Refusal } from '../refusal.ts'
import type { ReadingPlace } from './reading-side.ts'

const PAGE = 1_000

/**
 * Folds the log anew, in memory and beside all views, up to a point, and lists the sessions as they were then, by the clock
 * of that point. Memory and time grow with the log. Rejects with the signal's reason when cancelled.
 */
export async function replay(
  { store, namespace, source }: Omit<ReadingPlace, 'views'>,
  { until, list = {}, onProgress, signal }: ReplayOptions,
): Promise<ReplayedList | Refusal> {
  const head = await store.logHead()
  if (typeof until === 'number' && !(until >= 0 && until <= head.position))
    return refuse('bad-position', { until, position: head.position })
  const isBeyond = ({ position, recordedAt }: AnyRecorded): boolean => {
    if (until === undefined) return false
    return typeof until === 'number' ? position > until : recordedAt > until.time
  }
  const rows = plainRows<Tables>(tables)
  let events = 0
  let last: AnyRecorded | undefined
  for (let isDone = false; !isDone;) {
    signal?.throwIfAborted()
    const page = await store.readAll({ after: last?.position ?? 0, limit: PAGE })
    const end = page.findIndex(isBeyond)
    const some = end < 0 ? page : page.slice(0, end)
    for (const event of some) fold(event, rows)
    isDone = some.length < PAGE
    events += some.length
    last = some.at(-1) ?? last
    onProgress?.({ events, position: last?.position ?? 0, head: head.position })
    await turnOfTheLoop() // so that a signal is heard
  }
  const then = typeof until === 'object' ? until.time : until === undefined ? source.now() : last?.recordedAt
  const page = listSessions(rows, { ...list, namespace })
  if (!page.ok) return refuse('bad-cursor', { cursor: page.cursor })
  const { sessions, total, cursor } = page
  return {
    sessions: sessions.map((tip) => sessionRow(tip, segmentsOf(rows, tip), then ?? 0)),
    total,
    cursor,
    replay: { events, position: last?.position ?? 0, at: then ?? null },
  }
}
