import { applyPatch } from '../rows/apply-change.ts'
import type { FeedChange, FeedMessage } from './feed-message.ts'
import type { FeedValue } from './feed-value.ts'

/** What a follower of a feed knows. */
export type FeedState<R extends object = object, H extends object = object> =
  | { readonly kind: 'rows'; readonly cursor: string; readonly value: FeedValue<R, H> }
  | { readonly kind: 'gone'; readonly cursor: string; readonly code: string; readonly message: string }

/**
 * The state after a message; before the first one there is none. Throws a RangeError for a change that has nothing to change:
 * a message was left out, and the feed is to be asked for from its beginning.
 */
export function followFeed<R extends object, H extends object>(
  state: FeedState<R, H> | undefined,
  message: FeedMessage<R, H>,
): FeedState<R, H> {
  const { cursor } = message
  switch (message.kind) {
    case 'snapshot': {
      const rows = new Map(message.rows.map(({ key, row }) => [key, row]))
      return { kind: 'rows', cursor, value: { head: message.head, rows } }
    }
    case 'change':
      if (state?.kind !== 'rows') throw outOfStep(cursor)
      return { kind: 'rows', cursor, value: changedValue(state.value, message) }
    case 'gone':
      return { kind: 'gone', cursor, code: message.code, message: message.message }
    default:
      return message satisfies never
  }
}

function changedValue<R extends object, H extends object>(
  value: FeedValue<R, H>,
  change: FeedChange<R> & { readonly cursor: string },
): FeedValue<R, H> {
  const { head, removed, placed, changed } = change
  const taken = new Set([...removed, ...placed.map(({ key }) => key)])
  const rows = new Map<string, R>()
  let next = 0
  let last: string | null = null
  const placeThoseBehind = (): void => {
    for (let one = placed[next]; one !== undefined && one.behind === last; one = placed[next]) {
      const row = one.row ?? value.rows.get(one.key)
      if (!row) throw outOfStep(change.cursor)
      rows.set(one.key, row)
      last = one.key
      next += 1
    }
  }
  placeThoseBehind()
  for (const [key, row] of value.rows) {
    if (taken.has(key)) continue
    rows.set(key, row)
    last = key
    placeThoseBehind()
  }
  if (next < placed.length) throw outOfStep(change.cursor)
  for (const { key, patches } of changed) {
    const row = rows.get(key)
    if (!row) throw outOfStep(change.cursor)
    rows.set(key, patches.reduce(applyPatch, row))
  }
  return { head: head.reduce(applyPatch, value.head), rows }
}

function outOfStep(cursor: string): RangeError {
  return new RangeError(`The change up to ${cursor} does not fit what is known. Ask for the feed from its beginning.`)
}
