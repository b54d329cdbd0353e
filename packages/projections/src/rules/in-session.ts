import type { EventOf, EventType, Recorded } from '@refold/events'
import type { Rule } from '../projection.ts'
import type { TableRows, Tables } from '../tables.ts'
import type { TipRow } from './tips-rows.ts'

/** A rule that is also given the session's list row; before the tips projection that is the row as it was before the event. */
export type SessionRule<E extends EventType> = (
  event: Recorded<EventOf<E>>,
  rows: TableRows,
  tip: Readonly<TipRow>,
) => void

/** Leaves out streams that are no session's. */
export function inSession<E extends EventType>(rule: SessionRule<E>): Rule<Tables, E> {
  return (event, rows) => {
    const tip = rows.tips.get(event.stream)
    if (tip) rule(event, rows, tip)
  }
}
