import type { TableRows } from '../tables.ts'
import type { ListClass, TipRow } from './tips-rows.ts'

/** Changes a session's list row and keeps what follows from it: list class, sort name and the totals by class. */
export function changeTip(rows: TableRows, stream: string, recipe: (tip: TipRow) => void): void {
  const before = rows.tips.get(stream)?.listClass
  rows.tips.update([stream], (tip) => {
    recipe(tip)
    tip.listClass = listClassOf(tip)
    const name = tip.title ?? tip.preview ?? tip.session
    tip.sortName = name.toLowerCase()
  })
  const after = rows.tips.get(stream)
  if (before === undefined || !after || before === after.listClass) return
  count(rows, after.namespace, before, -1)
  count(rows, after.namespace, after.listClass, 1)
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
