import { BACKWARDS, END, FORWARDS, START, type EventStoreDBClient, type RecordedEvent } from '@eventstore/db-client'
import { failureOf } from './client-error.ts'
import { isOfLog } from './log-names.ts'

/** Events of the server that are asked for at once where only some of them are ours. */
const PAGE = 256

export interface ReadRange {
  /** Revision; the stream's beginning (or end, backwards) where absent. */
  readonly from?: number
  readonly limit: number
  readonly backwards?: boolean
}

/** Events of one stream; none where there is no such stream. */
export async function readPage(
  client: EventStoreDBClient,
  stream: string,
  { from, limit, backwards = false }: ReadRange,
): Promise<readonly RecordedEvent[]> {
  if (limit <= 0 || (backwards && from !== undefined && from < 0)) return []
  const fromRevision = from === undefined ? (backwards ? END : START) : BigInt(Math.max(0, from))
  const direction = backwards ? BACKWARDS : FORWARDS
  const events: RecordedEvent[] = []
  try {
    for await (const { event } of client.readStream(stream, { fromRevision, direction, maxCount: limit }))
      if (event) events.push(event)
  } catch (problem) {
    if (failureOf(problem) !== 'not-found') throw problem
  }
  return events
}

/** Events of the log in its order, other streams left out; fewer than asked for means that there are no more. */
export async function readLog(
  client: EventStoreDBClient,
  {
    after,
    limit,
    backwards = false,
  }: { readonly after?: number; readonly limit: number; readonly backwards?: boolean },
): Promise<readonly RecordedEvent[]> {
  const found: RecordedEvent[] = []
  const direction = backwards ? BACKWARDS : FORWARDS
  let from = after
  while (found.length < limit) {
    const size = Math.max(PAGE, limit - found.length + 1)
    const fromPosition =
      from === undefined ? (backwards ? END : START) : { commit: BigInt(from), prepare: BigInt(from) }
    let last: number | undefined
    let read = 0
    for await (const { event } of client.readAll({ fromPosition, direction, maxCount: size })) {
      if (!event) continue
      read += 1
      last = Number(event.position.commit)
      // Forwards, a read from a position begins with the event that stands there.
      if (last !== from && found.length < limit && isOfLog(event.streamId)) found.push(event)
    }
    if (read < size || last === undefined || last === from) break
    from = last
  }
  return found
}
