import { sessionStream } from '@refold/events'
import type { Projection, Rules } from '../projection.ts'
import type { TableRows, Tables } from '../tables.ts'
import { changeTip } from './change-tip.ts'
import { inSession } from './in-session.ts'
import { delegates, edges, reports, segments, type DelegateRow } from './lineage-rows.ts'
import { isTakenAlong } from './open-session.ts'
import type { TipRow } from './tips-rows.ts'

/** The parent's row for a delegate, made where there is none; the parent's count goes up with it. */
function knowDelegate(
  rows: TableRows,
  parent: { readonly stream: string; readonly namespace: string },
  child: string,
  recipe: (row: DelegateRow) => void,
): void {
  const childStream = sessionStream({ namespace: parent.namespace, session: child })
  const row = { stream: parent.stream, child, childStream, spawned: null, reported: null, outcome: null }
  if (rows.delegates.insert(row) && !isTakenAlong(rows, parent.namespace, child))
    changeTip(rows, parent.stream, (tip) => {
      tip.delegates += 1
    })
  rows.delegates.update([parent.stream, childStream], recipe)
}

/**
 * The delegate that started first in a circle of delegates counts as root. A circle closes with the start of its last
 * member, which only can happen to a session that delegates wait for already.
 */
function rootCircle(rows: TableRows, tip: Readonly<TipRow>): void {
  if (rows.edges.range('parent', { prefix: [tip.stream], limit: 1 }).length === 0) return
  const members = new Set<string>()
  let stream: string | null = tip.stream
  while (stream !== null && !members.has(stream)) {
    members.add(stream)
    const edge = rows.edges.get(stream)
    stream = edge?.kind === 'delegate' ? edge.parentStream : null
  }
  if (stream !== tip.stream) return
  const [first] = [...members]
    .flatMap((member) => rows.tips.get(member) ?? [])
    .toSorted((a, b) => a.startPosition - b.startPosition)
  if (first)
    changeTip(rows, first.stream, (draft) => {
      draft.circleRoot = true
    })
}

const rules: Rules<Tables> = {
  SessionStarted: inSession<'SessionStarted'>(({ stream, data }, rows, tip) => {
    const { origin } = data
    if (tip.started || origin.kind === 'root') return
    const { namespace, session, startPosition } = tip
    const { kind, session: parent } = origin
    const parentStream = parent === null ? null : sessionStream({ namespace, session: parent })
    rows.edges.insert({ stream, namespace, session, kind, parent, parentStream, startPosition })
    if (kind !== 'delegate' || parentStream === null) return
    knowDelegate(rows, { stream: parentStream, namespace }, session, () => undefined)
    rootCircle(rows, tip)
  }),

  DelegateSpawned: inSession<'DelegateSpawned'>(({ revision, data }, rows, tip) => {
    knowDelegate(rows, tip, data.session, (row) => {
      row.spawned ??= revision
    })
  }),

  DelegateReported: inSession<'DelegateReported'>(({ revision, data }, rows, tip) => {
    const { stream, namespace } = tip
    rows.reports.insert({ stream, childStream: sessionStream({ namespace, session: data.session }), revision })
    knowDelegate(rows, tip, data.session, (row) => {
      row.reported = revision
      row.outcome = data.outcome
    })
  }),

  Rotated: inSession<'Rotated'>(({ stream, revision, data }, rows) => {
    rows.segments.insert({ stream, segment: data.to, revision })
  }),
}

/** How sessions hang together, as the events that made the edges say; nothing is inferred. */
export const lineage: Projection<Tables> = {
  name: 'lineage',
  version: 2,
  tables: { segments, edges, delegates, reports },
  rules,
}
