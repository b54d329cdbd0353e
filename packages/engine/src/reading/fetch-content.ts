import type { AnyRecorded, EventRef, EventStore } from '@refold/events'
import { blobsOf, type LogContent } from '@refold/projections'

/** A mark of byte order at the front is the text's own, for no writer of ours puts one there. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Fetches events and the large texts that they refer to. */
export async function fetchContent(store: EventStore, refs: readonly EventRef[]): Promise<LogContent> {
  const events = new Map<string, AnyRecorded>()
  for (const event of await store.readEvents(refs)) if (event) events.set(placeOf(event), event)
  const blobs = await readTexts(store, [...events.values()].flatMap(blobsOf))
  return { event: (ref) => events.get(placeOf(ref)), blob: (hash) => blobs.get(hash) }
}

/** Large texts by their hashes, each read once; those that were erased are missing. */
export async function readTexts(store: EventStore, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const hash of new Set(hashes)) {
    const bytes = await store.blob(hash)
    if (bytes) texts.set(hash, decoder.decode(bytes))
  }
  return texts
}

const placeOf = ({ stream, revision }: EventRef): string => `${revision} ${stream}`
