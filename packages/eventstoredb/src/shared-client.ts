import { EventStoreDBClient } from '@eventstore/db-client'
import { RefoldError } from '@refold/events'
import { normalised, placeOf } from './connection-string.ts'

interface Shared {
  readonly client: EventStoreDBClient
  users: number
}

/** One client a process and server, as its documentation asks for: each has channels and keep-alive timers of its own. */
const clients = new Map<string, Shared>()

export interface ClientLease {
  readonly client: EventStoreDBClient
  /** The last one ends the client's streams, without which no process could exit. */
  readonly release: () => Promise<void>
}

/** Throws `store-unreachable` for what is no connection string. */
export function leaseClient(connection: string): ClientLease {
  const key = normalised(connection)
  const shared = clients.get(key) ?? { client: opened(key), users: 0 }
  clients.set(key, shared)
  shared.users += 1
  let isHeld = true
  return {
    client: shared.client,
    release: async () => {
      if (!isHeld) return
      isHeld = false
      shared.users -= 1
      if (shared.users > 0) return
      clients.delete(key)
      await shared.client.dispose()
    },
  }
}

function opened(connection: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(connection)
  } catch (cause) {
    throw new RefoldError('store-unreachable', { where: placeOf(connection) }, { cause })
  }
}
