import { decodeEvent, type EventStore, type RawEvent, type Sha256 } from '@refold/events'
import { allBlobsOf } from '@refold/projections'

/** Hashes of the blobs that an event as kept refers to. Parses only payloads that can hold one. */
export function blobsOfRaw(event: RawEvent): readonly string[] {
  const { type, payload, salt: _salt, digest: _digest, ...envelope } = event
  return payload?.includes('"blob":"') === true ? allBlobsOf(decodeEvent(envelope, type, payload)) : []
}

/** Looks at each blob once, however many events refer to it. */
export class BlobCheck {
  readonly #store: Pick<EventStore, 'blob'>
  readonly #sha256: Sha256
  readonly #looked = new Map<string, 'blob-missing' | 'blob-changed' | undefined>()

  constructor(store: Pick<EventStore, 'blob'>, sha256: Sha256) {
    this.#store = store
    this.#sha256 = sha256
  }

  get count(): number {
    return this.#looked.size
  }

  /** What is wrong with the first bad one of these. */
  async problemOf(hashes: readonly string[]): Promise<'blob-missing' | 'blob-changed' | undefined> {
    for (const hash of hashes) {
      if (!this.#looked.has(hash)) this.#looked.set(hash, await this.#look(hash))
      const problem = this.#looked.get(hash)
      if (problem !== undefined) return problem
    }
    return undefined
  }

  async #look(hash: string): Promise<'blob-missing' | 'blob-changed' | undefined> {
    const bytes = await this.#store.blob(hash)
    if (bytes === undefined) return 'blob-missing'
    return this.#sha256(bytes) === hash ? undefined : 'blob-changed'
  }
}
