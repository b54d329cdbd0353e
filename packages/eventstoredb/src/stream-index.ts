import { CHAIN_START, type RawEvent, type StreamHead } from '@refold/events'

/**
 * What has to be known of a stream to append to it: its head, and which event ids stand where. The server keeps ids apart
 * only for a while; this index, folded to exactly the revision that an append expects, keeps them apart for good.
 */
export class StreamIndex {
  #revision = -1
  #hash = CHAIN_START
  readonly #revisions = new Map<string, number>()

  get head(): StreamHead | undefined {
    return this.#revision < 0 ? undefined : { revision: this.#revision, hash: this.#hash }
  }

  get revision(): number {
    return this.#revision
  }

  get size(): number {
    return this.#revisions.size
  }

  revisionOf(eventId: string): number | undefined {
    return this.#revisions.get(eventId)
  }

  /** Takes in events in their order; those that it knows are passed over. */
  follow(events: readonly Pick<RawEvent, 'id' | 'revision' | 'hash'>[]): void {
    for (const { id, revision, hash } of events) {
      if (revision !== this.#revision + 1) continue
      this.#revision = revision
      this.#hash = hash
      this.#revisions.set(id, revision)
    }
  }
}
