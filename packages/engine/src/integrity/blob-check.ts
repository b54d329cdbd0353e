import { decodeEvent, type EventStore, type RawEvent, type Sha256 } from '@refold/events'
import { attachmentsOf, blobsOf } from '@refold/projections'

/** What an event as kept refers to: texts, which must be there, and attachments, which a caller may only have named. */
export interface BlobsOfEvent {
  readonly texts: readonly string[]
  readonly attachments: readonly string[]
}

const NONE: BlobsOfEvent = { texts: [], attachments: [] }

/** Parses only payloads that can hold a reference. */
export function blobsOfRaw(raw: RawEvent): BlobsOfEvent {
  if (raw.payload?.includes('"blob":"') !== true) return NONE
  const { type, payload, salt: _salt, digest: _digest, ...envelope } = raw
  const event = decodeEvent(envelope, type, payload)
  return { texts: blobsOf(event), attachments: attachmentsOf(event) }
}

/** Looks at each blob once, however many events refer to it. */
export class BlobCheck {
  readonly #store: Pick<EventStore, 'blob'>
  readonly #sha256: Sha256
  readonly #missing = new Set<string>()
  readonly #looked = new Map<string, 'blob-missing' | 'blob-changed' | undefined>()

  constructor(store: Pick<EventStore, 'blob'>, sha256: Sha256) {
    this.#store = store
    this.#sha256 = sha256
  }

  get count(): number {
    return this.#looked.size
  }

  /** Attachments that are not there. */
  get missingAttachments(): number {
    return this.#missing.size
  }

  /** What is wrong with the first bad one of these. */
  async problemOf({ texts, attachments }: BlobsOfEvent): Promise<'blob-missing' | 'blob-changed' | undefined> {
    for (const hash of texts) {
      const problem = await this.#known(hash)
      if (problem !== undefined) return problem
    }
    for (const hash of attachments) {
      const problem = await this.#known(hash)
      if (problem === 'blob-missing') this.#missing.add(hash)
      else if (problem !== undefined) return problem
    }
    return undefined
  }

  async #known(hash: string): Promise<'blob-missing' | 'blob-changed' | undefined> {
    if (!this.#looked.has(hash)) this.#looked.set(hash, await this.#look(hash))
    return this.#looked.get(hash)
  }

  async #look(hash: string): Promise<'blob-missing' | 'blob-changed' | undefined> {
    const bytes = await this.#store.blob(hash)
    if (bytes === undefined) return 'blob-missing'
    return this.#sha256(bytes) === hash ? undefined : 'blob-changed'
  }
}
