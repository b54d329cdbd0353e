import { ChainWalk, type EventStore, type RawEvent, type Sha256, type StreamHead } from '@refold/events'
import { BlobCheck, blobsOfRaw } from './blob-check.ts'
import { HeadsCheck } from './heads-check.ts'
import type { ListedHead } from './listed-heads.ts'
import { rawLog, rawStream } from './raw-pages.ts'
import { describeBreak, type FoundBreak, type VerifyReport } from './verify-report.ts'

export interface VerifyOptions {
  /** Only these streams; the whole log where absent. */
  readonly streams?: readonly string[]
  /** Heads that the streams must still have. */
  readonly heads?: readonly ListedHead[]
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
  readonly signal?: AbortSignal
}

export interface Verified extends VerifyReport {
  readonly heads: readonly (StreamHead & { readonly stream: string })[]
}

/**
 * Walks the chain of every stream in the order of the log and looks at every blob once. Reads page by page: memory grows
 * with the number of streams and of blobs. About 5 microseconds an event of 1 KiB. Throws the signal's reason, and what
 * reading throws.
 */
export async function verifyStore(store: EventStore, sha256: Sha256, options: VerifyOptions = {}): Promise<Verified> {
  const { streams, heads = [], onProgress, signal } = options
  const walk = new ChainWalk(sha256)
  const blobs = new BlobCheck(store, sha256)
  const listed = new HeadsCheck(heads)
  const end = (await store.logHead()).position
  let first: FoundBreak | undefined
  const note = (found: FoundBreak | undefined): void => {
    if (found !== undefined && isBefore(found, first)) first = found
  }
  const takePage = async (page: readonly RawEvent[]): Promise<void> => {
    for (const event of page) {
      note(walk.take(event))
      if (listed.size > 0) note(listed.take(event))
      // What the chain does not bear out may be anything; it is named already.
      if (!walk.isLast(event)) continue
      const referred = blobsOfRaw(event)
      if (referred.texts.length + referred.attachments.length === 0) continue
      const problem = await blobs.problemOf(referred)
      if (problem !== undefined) note({ ...placeOf(event), problem })
    }
    onProgress?.({ done: streams ? walk.events : (page.at(-1)?.position ?? end), total: streams ? walk.events : end })
    signal?.throwIfAborted()
    // Lets signals and other work in: the reads of a SQLite file never wait by themselves.
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (streams) for (const stream of streams) for await (const page of rawStream(store, stream)) await takePage(page)
  else for await (const page of rawLog(store, end)) await takePage(page)
  for (const found of walk.unvouched()) note(found)
  for (const found of listed.missing(streams && new Set(streams))) note(found)
  const firstBreak = first === undefined ? null : describeBreak(first)
  const { events } = walk
  return {
    ok: firstBreak === null,
    streams: walk.streams,
    events,
    blobs: blobs.count,
    missingAttachments: blobs.missingAttachments,
    firstBreak,
    heads: [...walk.heads()],
  }
}

export const placeOf = ({ stream, revision, position }: RawEvent): Omit<FoundBreak, 'problem'> => ({
  stream,
  revision,
  position,
})

/** What has no position (a missing end) comes after all that has one. */
function isBefore(one: FoundBreak, other: FoundBreak | undefined): boolean {
  return other === undefined || (one.position ?? Infinity) < (other.position ?? Infinity)
}
