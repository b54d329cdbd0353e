import { parseSessionStream, type AnyRecorded, type Blob, type EventStore, type NewEvent } from '@refold/events'
import { blobsOf } from '@refold/projections'

/** A finished log's commits, one event each, to be made again in another store. */
export interface ReplayedLog {
  readonly length: number
  /** Ids of the sessions in this log's namespace `default`. */
  readonly sessions: readonly string[]
  /** Appends the events from index `from` up to `to`. */
  append(store: EventStore, from: number, to: number): Promise<void>
}

export async function replayedLog(from: EventStore): Promise<ReplayedLog> {
  const log = await from.readAll({ limit: 100_000 })
  const events = await Promise.all(log.map((event) => newEvent(from, event)))
  const addresses = new Set(log.map(({ stream }) => stream))
  return {
    length: events.length,
    sessions: [...addresses].flatMap((stream) => {
      const address = parseSessionStream(stream)
      return address?.namespace === 'default' ? [address.session] : []
    }),
    async append(store, first, end) {
      for (const { stream, event, blobs } of events.slice(first, end)) {
        const appended = await store.append({ streams: [{ stream, expected: 'any', events: [event] }], blobs })
        if (!appended.ok) throw new Error(`${appended.code} in ${stream}`)
      }
    },
  }
}

async function newEvent(
  store: EventStore,
  recorded: AnyRecorded,
): Promise<{ readonly stream: string; readonly event: NewEvent; readonly blobs: readonly Blob[] }> {
  const { stream, revision } = recorded
  const [raw] = await store.readRaw(stream, { from: revision, limit: 1 })
  if (!raw || raw.payload === null) throw new Error(`${stream} has no payload at ${revision}`)
  const { id, type, version, payload, recordedAt, actor } = raw
  const blobs: Blob[] = []
  for (const hash of blobsOf(recorded)) {
    const bytes = await store.blob(hash)
    if (bytes) blobs.push({ hash, bytes })
  }
  return { stream, event: { id, type, version, payload, recordedAt, actor }, blobs }
}
