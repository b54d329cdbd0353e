import { sessionStream, type EventOf, type Recorded } from '@refold/events'
import type { TableRows } from '../tables.ts'
import { changeTip } from './change-tip.ts'
import { holdTitle, releaseTitle } from './hold-title.ts'
import { isTakenAlong } from './open-session.ts'
import type { TipRow } from './tips-rows.ts'

/** Hides a session, and on the seed at once all that goes along, whether their own streams say so already or not. */
export function markDeleted({ data }: Recorded<EventOf<'Deleted'>>, rows: TableRows, tip: Readonly<TipRow>): void {
  const { namespace, session } = tip
  const { deletionId, seed } = data
  const along = seed === session ? data.along : []
  changing(rows, namespace, [session, ...along], () => {
    rows.deletions.insert({ namespace, session, deletionId, seed: '' })
    for (const one of along) rows.deletions.insert({ namespace, session: one, deletionId, seed: session })
  })
}

/**
 * Takes back one deletion of this session, under the title that the event says. Those that went along come back by events
 * of their own, or with the seed where they have none. A session deleted in several ways, or purged, stays away.
 */
export function markRestored({ data }: Recorded<EventOf<'Restored'>>, rows: TableRows, tip: Readonly<TipRow>): void {
  if (tip.purged) return
  const { namespace, session } = tip
  const { deletionId, title } = data
  const along = rows.deletions
    .range('seed', { prefix: [namespace, session, deletionId], limit: Infinity })
    .map((row) => row.session)
  changing(rows, namespace, [session, ...along], () => {
    for (const one of along) rows.deletions.remove(namespace, one, deletionId, session)
    const own = rows.deletions.range('key', { prefix: [namespace, session, deletionId], limit: Infinity })
    for (const row of own) rows.deletions.remove(namespace, session, deletionId, row.seed)
    if (own.length === 0 || isTakenAlong(rows, namespace, session)) return
    changeTip(rows, tip.stream, (draft) => {
      draft.title = title
    })
  })
}

/** For good, whether it was deleted first or not. What its events said is being overwritten, so rows forget it, too. */
export function markPurged({ data }: Recorded<EventOf<'PurgeStarted'>>, rows: TableRows, tip: Readonly<TipRow>): void {
  const { namespace, session, stream } = tip
  changing(rows, namespace, [session], () => {
    rows.deletions.insert({ namespace, session, deletionId: data.purgeId, seed: '' })
  })
  changeTip(rows, stream, (draft) => {
    draft.purged = true
  })
}

/** Makes a change to deletions and brings in line what depends on them: rows, titles, parents' counts, children's origins. */
function changing(rows: TableRows, namespace: string, sessions: readonly string[], change: () => void): void {
  const before = [...new Set(sessions)].map((session) => ({ session, was: isTakenAlong(rows, namespace, session) }))
  change()
  for (const { session, was } of before) {
    const deleted = isTakenAlong(rows, namespace, session)
    if (deleted !== was) settle(rows, sessionStream({ namespace, session }), deleted)
  }
}

function settle(rows: TableRows, stream: string, deleted: boolean): void {
  changeTip(rows, stream, (draft) => {
    draft.deleted = deleted
  })
  if (deleted) releaseTitle(rows, stream)
  else holdTitle(rows, stream)
  for (const parent of rows.delegates.range('child', { prefix: [stream], limit: Infinity }))
    changeTip(rows, parent.stream, (draft) => {
      draft.delegates += deleted ? -1 : 1
    })
  for (const child of rows.edges.range('parent', { prefix: [stream], limit: Infinity }))
    changeTip(rows, child.stream, (draft) => {
      draft.parentDeleted = deleted
    })
}
