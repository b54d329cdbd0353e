import type { Blob, EventStore } from '@refold/events'

/** Hashes of all blobs that a value refers to, wherever in it. */
export function blobHashesIn(value: unknown): ReadonlySet<string> {
  const hashes = new Set<string>()
  const waiting: unknown[] = [value]
  for (const one of waiting) {
    if (typeof one !== 'object' || one === null) continue
    if ('blob' in one && typeof one.blob === 'string') hashes.add(one.blob)
    waiting.push(...Object.values(one))
  }
  return hashes
}

/** The blobs that a value refers to, as far as the store has them. */
export async function blobsIn(store: EventStore, value: unknown): Promise<readonly Blob[]> {
  const blobs: Blob[] = []
  for (const hash of blobHashesIn(value)) {
    const bytes = await store.blob(hash)
    if (bytes) blobs.push({ hash, bytes })
  }
  return blobs
}
