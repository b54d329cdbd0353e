import { compareScalars } from '../rows/compare.ts'
import type { ListClass, TipRow } from '../rules/tips-rows.ts'
import type { TableReaders } from '../tables.ts'
import { readCursor, writeCursor, type ListPlace, type ListSort } from './list-cursor.ts'

export type ListReaders = Pick<TableReaders, 'tips' | 'listCounts' | 'segments'>

export interface ListQuery {
  readonly namespace: string
  /** Adds the archived. */
  readonly archived?: boolean
  /** Adds all that are not deleted: archived and hidden ones, delegates, untyped ones, strays. */
  readonly all?: boolean
  /** Part of a title, preview or id, whatever its case. */
  readonly search?: string
  readonly workspace?: string
  readonly tag?: string
  /** Absent: activity. */
  readonly sort?: ListSort
  /** Absent: 50; at least 1. */
  readonly limit?: number
  readonly cursor?: string
}

export interface ListPage {
  readonly ok: true
  readonly sessions: readonly Readonly<TipRow>[]
  /** How many the same filter fits in all. */
  readonly total: number
  readonly cursor: string | null
}

export interface BadCursor {
  readonly ok: false
  readonly code: 'bad-cursor'
  readonly cursor: string
}

const DEFAULT_LIMIT = 50

/**
 * A page of the list. Without a filter its cost is that of the page, and the total is a stored number; a filter looks at
 * every row of the classes asked for.
 */
export function listSessions(rows: ListReaders, query: ListQuery): ListPage | BadCursor {
  const { namespace, sort = 'activity' } = query
  const limit = Math.max(1, query.limit ?? DEFAULT_LIMIT)
  const place = query.cursor === undefined ? undefined : readCursor(sort, query.cursor)
  if (query.cursor !== undefined && !place) return { ok: false, code: 'bad-cursor', cursor: query.cursor }
  const classes = classesOf(query)
  const fits = filterOf(rows, query)
  const sessions: Readonly<TipRow>[] = []
  let cursor: string | null = null
  for (const tip of inOrder(rows, namespace, classes, sort, place, fits ? 256 : limit + 1)) {
    if (fits && !fits(tip)) continue
    const last = sessions.at(-1)
    if (sessions.length >= limit) {
      cursor = last ? writeCursor(sort, placeOf(sort, last)) : null
      break
    }
    sessions.push(tip)
  }
  return { ok: true, sessions, total: totalOf(rows, namespace, classes, fits), cursor }
}

function classesOf({ archived = false, all = false }: ListQuery): readonly ListClass[] {
  if (all) return ['listed', 'archived', 'unlisted']
  return archived ? ['listed', 'archived'] : ['listed']
}

type Filter = (tip: Readonly<TipRow>) => boolean

/** Undefined where everything fits, so that totals need no look at the rows. */
function filterOf(rows: ListReaders, { search, workspace, tag }: ListQuery): Filter | undefined {
  if (search === undefined && workspace === undefined && tag === undefined) return undefined
  const wanted = search?.normalize('NFC').toLowerCase()
  const has = (text: string | null): boolean =>
    text
      ?.normalize('NFC')
      .toLowerCase()
      .includes(wanted ?? '') === true
  return (tip) => {
    if (workspace !== undefined && tip.workspace !== workspace) return false
    if (tag !== undefined && !(Array.isArray(tip.tags) && tip.tags.includes(tag))) return false
    return wanted === undefined || has(tip.title) || has(tip.preview) || segmentsOf(rows, tip).some(has)
  }
}

/** Ids of a session's segments, oldest first. */
export function segmentsOf(rows: Pick<TableReaders, 'segments'>, tip: Readonly<TipRow>): readonly string[] {
  if (tip.tip === tip.session) return [tip.session]
  return rows.segments.range('revision', { prefix: [tip.stream], limit: Infinity }).map(({ segment }) => segment)
}

function totalOf(
  rows: ListReaders,
  namespace: string,
  classes: readonly ListClass[],
  fits: Filter | undefined,
): number {
  if (!fits) return classes.reduce((sum, one) => sum + (rows.listCounts.get(namespace, one)?.count ?? 0), 0)
  let total = 0
  for (const tip of inOrder(rows, namespace, classes, 'start', undefined, 256)) if (fits(tip)) total++
  return total
}

function placeOf(sort: ListSort, tip: Readonly<TipRow>): ListPlace {
  if (sort === 'activity') return { value: tip.lastActivityAt, position: tip.activityPosition }
  return { value: sort === 'start' ? tip.startedAt : tip.sortName, position: tip.startPosition }
}

/** Rows of several classes as one list. */
function* inOrder(
  rows: ListReaders,
  namespace: string,
  classes: readonly ListClass[],
  sort: ListSort,
  place: ListPlace | undefined,
  chunk: number,
): Generator<Readonly<TipRow>, void> {
  const lists = classes.map((listClass) => ofClass(rows, namespace, listClass, sort, place, chunk))
  const heads = lists.map((list) => list.next())
  for (;;) {
    let first: { readonly index: number; readonly tip: Readonly<TipRow> } | undefined
    for (const [index, head] of heads.entries())
      if (head.done !== true && (!first || comesBefore(sort, head.value, first.tip))) first = { index, tip: head.value }
    const list = first && lists[first.index]
    if (!first || !list) return
    yield first.tip
    heads[first.index] = list.next()
  }
}

function comesBefore(sort: ListSort, one: Readonly<TipRow>, other: Readonly<TipRow>): boolean {
  const [a, b] = [placeOf(sort, one), placeOf(sort, other)]
  const order = compareScalars(a.value, b.value) || a.position - b.position
  return sort === 'title' ? order < 0 : order > 0
}

function* ofClass(
  rows: ListReaders,
  namespace: string,
  listClass: ListClass,
  sort: ListSort,
  place: ListPlace | undefined,
  chunk: number,
): Generator<Readonly<TipRow>, void> {
  const backwards = sort !== 'title'
  let bound = place
  for (;;) {
    const edge = bound ? [bound.value, bound.position] : undefined
    const range = edge ? (backwards ? { before: edge } : { after: edge }) : {}
    const some = rows.tips.range(sort, { prefix: [namespace, listClass], ...range, limit: chunk, backwards })
    yield* some
    const last = some.at(-1)
    if (some.length < chunk || !last) return
    bound = placeOf(sort, last)
  }
}
