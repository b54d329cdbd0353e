import type { AnyRecorded, EventRef, EventStore } from '@refold/events'
import { blobsOf, type LogContent } from '@refold/projections'

/** A mark of byte order at the front is the text's own, for no writer of ours puts one there. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Fetches events and the large texts that they refer to. */
export async function fetchContent(store: EventStore, refs: readonly EventRef[]): Promise<LogContent> {
  const events = new Map<string, AnyRecorded>()
  const blobs = new Map<string, string>()
  for (const event of await store.readEvents(refs)) if (event) events.set(placeOf(event), event)
  for (const hash of new Set([...events.values()].flatMap(blobsOf))) {
    const bytes = await store.blob(hash)
    if (bytes) blobs.set(hash, decoder.decode(bytes))
  }
  return { event: (ref) => events.get(placeOf(ref)), blob: (hash) => blobs.get(hash) }
}

const placeOf = ({ stream, revision }: EventRef): string => `${revision} ${stream}`
