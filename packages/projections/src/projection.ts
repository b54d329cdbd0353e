import type { ErasedEvent, EventOf, EventType, Recorded } from '@refold/events'
import type { Rows, TableDefinitions } from './rows/port.ts'

/** What one event does to the rows. Total: takes any well-formed event in any state of the rows and never throws. */
export type Rule<T, E extends EventType = EventType> = (event: Recorded<EventOf<E>>, rows: Rows<T>) => void

/** At most one rule an event type; a type without one changes nothing. */
export type Rules<T> = { readonly [E in EventType]?: Rule<T, E> }

/**
 * A fold from events to rows. `T` maps the names of all tables to their row types; a projection defines some of them, and
 * its rules may read those that come before it in the fold's order.
 */
export interface Projection<T> {
  readonly name: string
  /** Raised whenever the same events would give other rows: stored views of another version are thrown away. */
  readonly version: number
  readonly tables: Partial<TableDefinitions<T>>
  readonly rules: Rules<T>
  /** What an event of any type still does when its payload is purged; nothing where absent. */
  readonly erased?: (event: Recorded<ErasedEvent>, rows: Rows<T>) => void
}
