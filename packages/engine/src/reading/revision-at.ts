import type { AnyRecorded, EventStore } from '@refold/events'
import { ownTime, recordedAfter } from '@refold/projections'
import type { Point } from '../answers/point.ts'
import { refuse, type Refusal } from '../refusal.ts'
import type { ReadingPlace } from './reading-side.ts'

/** Events read at a time where a whole stream must be looked through. */
const PAGE = 1_000

/** The revision that a point of a session means; -1 before its first event. Refuses (`bad-revision`) one that it does not have. */
export async function revisionAt(
  { store, views }: Pick<ReadingPlace, 'store' | 'views'>,
  { session, stream }: { readonly session: string; readonly stream: string },
  point: Point,
): Promise<number | Refusal> {
  const head = (await store.head(stream))?.revision ?? -1
  if (typeof point === 'number') {
    const isThere = Number.isInteger(point) && point >= -1 && point <= head
    return isThere ? point : refuse('bad-revision', { session, at: point, revision: head })
  }
  const { time, by = 'recorded' } = point
  if (Number.isNaN(time)) return refuse('bad-revision', { session, at: time, revision: head })
  if (by === 'messages') return (await firstAfter(store, stream, { from: 0, to: Infinity }, isAfter(time))) ?? head
  for (const range of await views.read((rows) => recordedAfter(rows, stream, time))) {
    const last = await firstAfter(store, stream, range, ({ recordedAt }) => recordedAt > time)
    if (last !== undefined) return last
  }
  return head
}

/** Revision before the first event of a range that fits; undefined where none does. */
async function firstAfter(
  store: EventStore,
  stream: string,
  { from, to }: { readonly from: number; readonly to: number },
  fits: (event: AnyRecorded) => boolean,
): Promise<number | undefined> {
  for (let next = from; next < to;) {
    const limit = Math.min(PAGE, to - next)
    const page = await store.readStream(stream, { from: next, limit })
    const found = page.find(fits)
    if (found) return found.revision - 1
    if (page.length < limit) return undefined
    next += limit
  }
  return undefined
}

/** By what the event itself says of when it happened; one that says nothing is as early as what stands before it. */
const isAfter =
  (time: number) =>
  ({ data, recordedAt }: AnyRecorded): boolean => {
    const at = typeof data === 'object' && data !== null && 'at' in data ? data.at : undefined
    const own = ownTime(typeof at === 'number' ? at : undefined, recordedAt)
    return own !== undefined && own > time
  }
