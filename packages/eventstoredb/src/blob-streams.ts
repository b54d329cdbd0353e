import { binaryEvent, type EventStoreDBClient } from '@eventstore/db-client'
import type { Blob, Sha256 } from '@refold/events'
import { failureOf } from './client-error.ts'
import { BLOB_PREFIX } from './log-names.ts'
import { insist, type Patience } from './patience.ts'
import { readPage } from './read-pages.ts'
import { uuidOf } from './written-event.ts'

/** Bytes of one event of a blob, well under what a server takes at once. */
const CHUNK = 512 * 1024

/** Blobs, each in a stream named by its hash: chunks, and as the last event how many there are. */
export class BlobStreams {
  readonly #client: EventStoreDBClient
  readonly #patience: Patience
  readonly #sha256: Sha256
  readonly #known = new Set<string>()

  constructor(client: EventStoreDBClient, patience: Patience, sha256: Sha256) {
    this.#client = client
    this.#patience = patience
    this.#sha256 = sha256
  }

  /** Writes what is missing of it, also where another writer was stopped in the midst of it. */
  async write({ hash, bytes }: Blob): Promise<void> {
    if (this.#known.has(hash)) return
    const count = Math.max(1, Math.ceil(bytes.length / CHUNK))
    const stream = `${BLOB_PREFIX}${hash}`
    for (let chunk = 0; chunk < count; chunk += 1) {
      const isLast = chunk === count - 1
      const event = binaryEvent({
        // The same for every writer, so that the server takes it once.
        id: uuidOf(this.#sha256(`${stream} ${chunk}`).slice(0, 32)),
        type: isLast ? 'BlobEnd' : 'BlobChunk',
        data: bytes.slice(chunk * CHUNK, (chunk + 1) * CHUNK),
      })
      await this.#append(stream, event, chunk)
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

  async #append(stream: string, event: ReturnType<typeof binaryEvent>, chunk: number): Promise<void> {
    const expectedRevision = chunk === 0 ? 'no_stream' : BigInt(chunk - 1)
    try {
      await insist(this.#patience, (deadline) =>
        this.#client.appendToStream(stream, event, { expectedRevision, deadline }),
      )
    } catch (problem) {
      // Another writer was quicker: the stream's name says that it wrote the same.
      if (failureOf(problem) !== 'wrong-version') throw problem
    }
  }
}
