import { systemSource, type Source } from '@refold/engine'
import type { EventStore } from '@refold/events'
import { storeError } from './client-error.ts'
import { placeOf } from './connection-string.ts'
import { EventStoreDBStore } from './event-store-db.ts'
import { storeFacts } from './meta-stream.ts'
import { leaseClient } from './shared-client.ts'

export interface EventStoreDBOptions {
  /** Milliseconds that a call is tried in all before `store-unreachable` or `outcome-unknown`. Absent: 10 s. */
  readonly deadlineMs?: number
  /** Time, randomness and hash. Absent: the machine's. */
  readonly source?: Source
}

/**
 * Opens the log on an EventStoreDB or KurrentDB server: `esdb://`, `esdb+discover://` or `kurrentdb://` strings, with the
 * client's options. The first node that opens it names the log.
 *
 * Throws `store-unreachable`, `store-denied`, `store-newer` or `store-damaged`.
 */
export async function eventStoreDB(connection: string, options: EventStoreDBOptions = {}): Promise<EventStore> {
  const { deadlineMs = 10_000, source = systemSource } = options
  const where = placeOf(connection)
  const { client, release } = leaseClient(connection)
  const patience = { deadlineMs, source }
  try {
    const facts = await storeFacts(client, source, patience, where)
    return new EventStoreDBStore({ client, release, facts, source, patience, where })
  } catch (problem) {
    await release()
    throw storeError(problem, where)
  }
}
