import type { EventStore, LogReader, RawEvent } from '@refold/events'
import { blobHashesIn } from '../content/blobs-in.ts'
import { rawLog } from '../integrity/raw-pages.ts'

interface Erasure {
  readonly event: RawEvent
  readonly masked: string | null
}

/** Events read at a time within a transaction. */
const PAGE = 500

/** Blobs that these events refer to and, once they are masked, nothing up to a position of the log does. */
export async function lastReferences(
  store: EventStore,
  erasures: readonly Erasure[],
  end: number,
): Promise<readonly string[]> {
  const blobs = new Set(erasures.flatMap(({ event }) => [...hashesOf(event.payload)]))
  for (const { masked } of erasures) for (const hash of hashesOf(masked)) blobs.delete(hash)
  if (blobs.size === 0) return []
  const gone = new Set(erasures.map(({ event }) => event.position))
  for await (const page of rawLog(store, end))
    for (const { position, payload } of page)
      if (!gone.has(position)) for (const hash of hashesOf(payload)) blobs.delete(hash)
  return [...blobs]
}

/** Those of them that nothing behind a position refers to either, as the log stands inside a transaction. */
export function unreferencedSince(log: LogReader, blobs: readonly string[], position: number): readonly string[] {
  const left = new Set(blobs)
  for (let after = position; left.size > 0;) {
    const page = log.readLogRaw({ after, limit: PAGE })
    for (const { payload } of page) for (const hash of hashesOf(payload)) left.delete(hash)
    if (page.length < PAGE) break
    after = page.at(-1)?.position ?? after
  }
  return [...left]
}

const hashesOf = (payload: string | null): ReadonlySet<string> =>
  payload?.includes('"blob"') === true ? blobHashesIn(JSON.parse(payload)) : new Set()
