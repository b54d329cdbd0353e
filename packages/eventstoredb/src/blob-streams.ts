import { binaryEvent, type EventStoreDBClient } from '@eventstore/db-client'
import type { Blob, Sha256 } from '@refold/events'
import { failureOf, limitIn } from './client-error.ts'
import { BLOB_PREFIX } from './log-names.ts'
import { insist, type Patience } from './patience.ts'
import { readPage } from './read-pages.ts'
import { uuidOf } from './written-event.ts'

/** Bytes of one event of a blob: well under what a server takes at once unless it is set up otherwise. */
const LARGEST_CHUNK = 512 * 1024
/** A server that takes no more than this at once is none to keep texts on. */
const SMALLEST_CHUNK = 1024

interface Written {
  readonly chunks: number
  readonly bytes: number
  readonly isWhole: boolean
}

/** Blobs, each in a stream named by its hash: chunks, the last of which says that it is that. */
export class BlobStreams {
  readonly #client: EventStoreDBClient
  readonly #patience: Patience
  readonly #sha256: Sha256
  readonly #known = new Set<string>()
  #chunk = LARGEST_CHUNK

  constructor(client: EventStoreDBClient, patience: Patience, sha256: Sha256) {
    this.#client = client
    this.#patience = patience
    this.#sha256 = sha256
  }

  /** Writes what is missing of it, also where another writer was stopped in the midst of it. */
  async write({ hash, bytes }: Blob): Promise<void> {
    if (this.#known.has(hash)) return
    const stream = `${BLOB_PREFIX}${hash}`
    let written: Written = { chunks: 0, bytes: 0, isWhole: false }
    while (!written.isWhole) {
      const end = Math.min(bytes.length, written.bytes + this.#chunk)
      const isWhole = end === bytes.length
      const event = binaryEvent({
        // The same for every writer, so that the server takes it once.
        id: uuidOf(this.#sha256(`${stream} ${written.bytes} ${end}`).slice(0, 32)),
        type: isWhole ? 'BlobEnd' : 'BlobChunk',
        data: bytes.slice(written.bytes, end),
      })
      const expectedRevision = written.chunks === 0 ? 'no_stream' : BigInt(written.chunks - 1)
      try {
        await insist(this.#patience, (deadline) =>
          this.#client.appendToStream(stream, event, { expectedRevision, deadline }),
        )
        written = { chunks: written.chunks + 1, bytes: end, isWhole }
      } catch (problem) {
        const failure = failureOf(problem)
        // Another writer was there: the stream's name says that it wrote the same.
        if (failure === 'wrong-version') written = await this.#writtenOf(stream)
        else if (failure !== 'too-large' || !this.#shrink(limitIn(problem))) throw problem
      }
    }
    this.#known.add(hash)
  }

  async read(hash: string): Promise<Uint8Array | undefined> {
    const stream = `${BLOB_PREFIX}${hash}`
    const chunks: Uint8Array[] = []
    for (;;) {
      const page = await insist(this.#patience, () => readPage(this.#client, stream, { from: chunks.length, limit: 8 }))
      for (const { data, type } of page) {
        if (data instanceof Uint8Array) chunks.push(data)
        if (type === 'BlobEnd') return Uint8Array.from(Buffer.concat(chunks))
      }
      if (page.length === 0) return undefined // a writer was stopped in the midst of it
    }
  }

  async #writtenOf(stream: string): Promise<Written> {
    let [chunks, bytes] = [0, 0]
    for (;;) {
      const page = await insist(this.#patience, () => readPage(this.#client, stream, { from: chunks, limit: 8 }))
      for (const { data, type } of page) {
        chunks += 1
        bytes += data instanceof Uint8Array ? data.length : 0
        if (type === 'BlobEnd') return { chunks, bytes, isWhole: true }
      }
      if (page.length === 0) return { chunks, bytes, isWhole: false }
    }
  }

  /** Smaller chunks for a server that takes less; false where that would be absurd. */
  #shrink(limit: number | undefined): boolean {
    this.#chunk = Math.floor(Math.min(this.#chunk / 2, (limit ?? this.#chunk) * 0.9))
    return this.#chunk >= SMALLEST_CHUNK
  }
}
