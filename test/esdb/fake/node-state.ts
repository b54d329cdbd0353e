import { setTimeout as sleep } from 'node:timers/promises'
import type { AppendResult, Expected, ProposedEvent } from './kept-event.ts'
import type { Faults } from './faults.ts'
import type { KeptLog } from './kept-log.ts'

/** What the calls of one node share. */
export interface NodeState {
  readonly log: KeptLog
  readonly faults: Faults
  /** Cuts every connection without a word. */
  readonly cut: () => void
}

/** Appends as a node does, with what goes wrong; undefined where the caller will never hear. */
export async function appendWithFaults(
  { log, faults, cut }: NodeState,
  stream: string,
  expected: Expected,
  events: readonly ProposedEvent[],
): Promise<AppendResult | undefined> {
  if (faults.dropBeforeCommit > 0) {
    faults.dropBeforeCommit -= 1
    cut()
    return undefined
  }
  const result = log.append(stream, expected, events)
  if (faults.dropAfterCommit > 0) {
    faults.dropAfterCommit -= 1
    cut()
    return undefined
  }
  if (faults.slowness > 0) await sleep(faults.slowness)
  return result
}
