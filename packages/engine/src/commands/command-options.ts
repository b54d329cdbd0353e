import type { Actor } from '@refold/events'

/** What may be said with every command. */
export interface CommandOptions {
  /** Idempotency key: a command repeated under its key writes nothing and answers as the first time. Random where absent. */
  readonly key?: string
  /** Refuses with `moved-on` unless the session's last event has this revision. */
  readonly expect?: number
  /** Who acts, where it is not the engine's own actor. */
  readonly actor?: Actor
  readonly correlationId?: string
  readonly causationId?: string
}
