import type { Sha256 } from '@refold/events'

/** Everything that differs between two runs, injected so that tests and replays can fix it. */
export interface Source {
  /** Epoch milliseconds. */
  now(): number
  random(length: number): Uint8Array
  readonly sha256: Sha256
}
