import { binaryEvent, type EventStoreDBClient } from '@eventstore/db-client'
import type { Source } from '@refold/engine'
import { hex } from '@refold/engine/stores'
import { RefoldError } from '@refold/events'
import { failureOf } from './client-error.ts'
import { META_STREAM } from './log-names.ts'
import { insist, type Patience } from './patience.ts'
import { readPage } from './read-pages.ts'
import { uuidOf } from './written-event.ts'

/** Raised when streams or metadata are written in another way. */
const FORMAT = 1

/** What all nodes on one log must agree on. */
export interface StoreFacts {
  readonly logId: string
  readonly secret: string
}

/** Reads them, or writes them first: the node that comes first decides. Throws `store-newer` for a later format. */
export async function storeFacts(
  client: EventStoreDBClient,
  source: Source,
  patience: Patience,
  where: string,
): Promise<StoreFacts> {
  const found = await read(client, patience, where)
  if (found) return found
  const facts = { format: FORMAT, logId: hex(source.random(16)), secret: hex(source.random(32)) }
  const data = new TextEncoder().encode(JSON.stringify(facts))
  const event = binaryEvent({ id: uuidOf(hex(source.random(16))), type: 'LogOpened', data })
  try {
    await insist(patience, (deadline) =>
      client.appendToStream(META_STREAM, event, { expectedRevision: 'no_stream', deadline }),
    )
  } catch (problem) {
    if (failureOf(problem) !== 'wrong-version') throw problem
  }
  const written = await read(client, patience, where)
  if (!written) throw new RefoldError('store-damaged', { file: where, problem: `${META_STREAM} cannot be read back` })
  return written
}

async function read(client: EventStoreDBClient, patience: Patience, where: string): Promise<StoreFacts | undefined> {
  const [event] = await insist(patience, () => readPage(client, META_STREAM, { limit: 1 }))
  if (!event) return undefined
  const facts: unknown =
    event.data instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(event.data)) : event.data
  const format = textOrNumber(facts, 'format')
  if (typeof format === 'number' && format > FORMAT)
    throw new RefoldError('store-newer', { file: where, found: format, known: FORMAT })
  const [logId, secret] = [textOrNumber(facts, 'logId'), textOrNumber(facts, 'secret')]
  if (format !== FORMAT || typeof logId !== 'string' || typeof secret !== 'string')
    throw new RefoldError('store-damaged', { file: where, problem: `${META_STREAM} does not say what log this is` })
  return { logId, secret }
}

function textOrNumber(facts: unknown, field: string): string | number | undefined {
  const value: unknown = typeof facts === 'object' && facts !== null ? Reflect.get(facts, field) : undefined
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}
