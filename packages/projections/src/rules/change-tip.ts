import type { TableRows } from '../tables.ts'
import type { ListClass, TipRow } from './tips-rows.ts'
import type { TitleSpanRow } from './titles-rows.ts'

/**
 * Changes a session's list row and keeps what follows from it: list class, sort name, the totals by class, and since when
 * it has its title. Runs for nearly every event, so it derives only what the change touched.
 */
export function changeTip(rows: TableRows, stream: string, recipe: (tip: TipRow) => void): void {
  let moved: { readonly namespace: string; readonly from: ListClass; readonly to: ListClass } | undefined
  let named: Omit<TitleSpanRow, 'revision'> | undefined
  rows.tips.update([stream], (tip) => {
    const { title, titleBy, preview, listClass: from } = tip
    recipe(tip)
    if (tip.title !== title || tip.preview !== preview)
      tip.sortName = (tip.title ?? tip.preview ?? tip.session).toLowerCase()
    if (tip.title !== title || tip.titleBy !== titleBy)
      named = { stream, title: tip.title, titleBy: tip.titleBy, given: tip.titleRevision }
    const to = listClassOf(tip)
    if (from === to) return
    tip.listClass = to
    moved = { namespace: tip.namespace, from, to }
  })
  if (named) rows.titleSpans.put({ ...named, revision: rows.transcripts.get(stream)?.revision ?? -1 })
  if (!moved) return
  count(rows, moved.namespace, moved.from, -1)
  count(rows, moved.namespace, moved.to, 1)
}

export function count(rows: TableRows, namespace: string, listClass: ListClass, by: number): void {
  rows.listCounts.upsert({ namespace, listClass, count: 0 }, (row) => {
    row.count += by
  })
}

export function listClassOf(tip: TipRow): ListClass {
  if (tip.deleted) return 'deleted'
  if (tip.hidden || worksForAnother(tip)) return 'unlisted'
  return tip.archived === null ? 'listed' : 'archived'
}

/** Delegates, untyped ones and strays are found through their parent; once that is gone they must stand for themselves. */
function worksForAnother({ originKind, parentDeleted, circleRoot }: TipRow): boolean {
  return ['delegate', 'untyped', 'stray'].includes(originKind) && !parentDeleted && !circleRoot
}
