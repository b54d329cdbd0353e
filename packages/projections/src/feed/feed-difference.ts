import type { Patch } from 'immer'
import type { FeedChange, PlacedRow } from './feed-message.ts'
import type { FeedValue } from './feed-value.ts'

/** What turns `before` into `after`; undefined where nothing does. Costs as much as the two are long. */
export function feedDifference<R extends object, H extends object>(
  before: FeedValue<R, H>,
  after: FeedValue<R, H>,
): FeedChange<R> | undefined {
  const removed = [...before.rows.keys()].filter((key) => !after.rows.has(key))
  const changed: { readonly key: string; readonly patches: readonly Patch[] }[] = []
  for (const [key, row] of after.rows) {
    const old = before.rows.get(key)
    const patches = old ? fieldPatches(old, row) : []
    if (patches.length > 0) changed.push({ key, patches })
  }
  const placed = placedRows(before.rows, after.rows)
  const head = fieldPatches(before.head, after.head)
  const isSame = head.length === 0 && removed.length === 0 && placed.length === 0 && changed.length === 0
  return isSame ? undefined : { head, removed, placed, changed }
}

/** Rows that are new, or no longer stand behind those that they stood behind. */
function placedRows<R extends object>(
  before: ReadonlyMap<string, R>,
  after: ReadonlyMap<string, R>,
): readonly PlacedRow<R>[] {
  const old = [...before.keys()].filter((key) => after.has(key))
  const moved = new Set<string>()
  const placed: PlacedRow<R>[] = []
  let next = 0
  let behind: string | null = null
  for (const [key, row] of after) {
    while (next < old.length && moved.has(old[next] ?? '')) next += 1
    if (old[next] === key) next += 1
    else {
      moved.add(key)
      placed.push(before.has(key) ? { key, behind } : { key, behind, row })
    }
    behind = key
  }
  return placed
}

/** Whole fields, so that a patch that comes twice does no harm. */
function fieldPatches(before: object, after: object): readonly Patch[] {
  const old = new Map<string, unknown>(Object.entries(before))
  const patches: Patch[] = []
  for (const [field, value] of Object.entries(after)) {
    if (value === undefined) continue
    const was = old.get(field)
    old.delete(field)
    if (was === undefined) patches.push({ op: 'add', path: [field], value })
    else if (!isSameValue(was, value)) patches.push({ op: 'replace', path: [field], value })
  }
  for (const [field, value] of old) if (value !== undefined) patches.push({ op: 'remove', path: [field] })
  return patches
}

/** Values are JSON, and those of one field are made by the same code, so that their keys have one order. */
function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true
  return typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other)
}
