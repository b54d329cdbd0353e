import type { RowReaders } from '@refold/projections'
import { deletionPlan, type Tables } from '@refold/projections'
import { deleteSessions } from '../commands/delete.ts'
import type { DeleteAnswer, DeleteInput, DeletionPlan } from '../commands/delete.ts'
import { streamOf } from '../deciding/desk.ts'
import type { Outcome } from '../outcome.ts'
import { refuse, type Refusal } from '../refusal.ts'
import { begin } from './command-desk.ts'
import { sessionById } from './resolve.ts'
import type { SessionPlace } from './session.ts'

/** What deleting these sessions would take and leave. */
export async function planDeletion(
  place: SessionPlace,
  ids: readonly string[],
): Promise<({ readonly ok: true } & DeletionPlan) | Refusal> {
  const seeds = await literalIds(place, ids)
  if (!seeds.ok) return seeds
  const { deletes, keeps } = await place.reading.rows((rows) => deletionPlan(rows, place.namespace, seeds.ids))
  return { ok: true, seeds: seeds.ids, deletes, keeps }
}

export async function carryOutDeletion(
  place: SessionPlace,
  ids: readonly string[],
  options: DeleteInput,
): Promise<Outcome<DeleteAnswer>> {
  const seeds = await literalIds(place, ids)
  if (!seeds.ok) return seeds
  const { keeps, children } = await place.reading.rows((rows) => ({
    keeps: deletionPlan(rows, place.namespace, seeds.ids).keeps,
    children: delegatesByParent(rows, place, seeds.ids),
  }))
  const outcome = await begin(place, options).carryOut((desk) =>
    deleteSessions(desk, { ...options, seeds: seeds.ids, children }),
  )
  return outcome.ok ? { ...outcome, seeds: seeds.ids, keeps } : outcome
}

/** Ids only, of sessions or segments, each session once; a title or a prefix deletes nothing. */
async function literalIds(
  place: SessionPlace,
  names: readonly string[],
): Promise<{ readonly ok: true; readonly ids: readonly string[] } | Refusal> {
  const ids = new Set<string>()
  for (const name of names) {
    const found = await sessionById(place, name)
    if (!found) return refuse('session-not-found', { name })
    ids.add(found.session)
  }
  return { ok: true, ids: [...ids] }
}

/** Delegates that name the seeds, or each other, as the session they work for. */
function delegatesByParent(
  rows: Pick<RowReaders<Tables>, 'edges'>,
  place: SessionPlace,
  seeds: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, readonly string[]>()
  const waiting = [...seeds]
  for (const session of waiting) {
    if (children.has(session)) continue
    const edges = rows.edges.range('parent', { prefix: [streamOf(place, session)], limit: Infinity })
    const delegates = edges.filter(({ kind }) => kind === 'delegate').map((edge) => edge.session)
    children.set(session, delegates)
    waiting.push(...delegates)
  }
  return children
}
