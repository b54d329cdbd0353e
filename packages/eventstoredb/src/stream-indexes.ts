import { StreamIndex } from './stream-index.ts'

/** Ids kept in memory over all streams, some 100 bytes each. */
const MOST_IDS = 1_000_000

/** The indexes of the streams that were used last. */
export class StreamIndexes {
  readonly #indexes = new Map<string, StreamIndex>()

  of(stream: string): StreamIndex {
    const index = this.#indexes.get(stream) ?? new StreamIndex()
    // Put in last again, so that the first one is the one used longest ago.
    this.#indexes.delete(stream)
    this.#indexes.set(stream, index)
    return index
  }

  /** Lets go of what was used longest ago. */
  trim(): void {
    let ids = 0
    for (const { size } of this.#indexes.values()) ids += size
    for (const [stream, { size }] of this.#indexes) {
      if (ids <= MOST_IDS || this.#indexes.size === 1) return
      this.#indexes.delete(stream)
      ids -= size
    }
  }
}
