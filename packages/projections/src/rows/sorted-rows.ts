/** Rows in one chunk at most: a row that is put between others moves no more than these. */
const CHUNK = 512

/** Where a row stands relative to a place in the order: negative before it, positive behind it. */
export type Side<E> = (entry: E) => number

/**
 * Entries in order, no two of which are equal. Appending at the end costs one comparison, everything else a binary search and
 * moving part of a chunk, however many entries there are.
 */
export class SortedRows<E> {
  readonly #compare: (a: E, b: E) => number
  readonly #chunks: E[][] = []

  constructor(compare: (a: E, b: E) => number) {
    this.#compare = compare
  }

  get isEmpty(): boolean {
    return this.#chunks.length === 0
  }

  add(entry: E): void {
    const tail = this.#chunks.at(-1)
    const last = tail?.at(-1)
    if (tail && last !== undefined && this.#compare(last, entry) < 0) {
      if (tail.length < CHUNK) tail.push(entry)
      else this.#chunks.push([entry])
      return
    }
    const at = this.#place((other) => this.#compare(other, entry))
    const chunk = this.#chunks[at.chunk]
    if (!chunk) {
      this.#chunks.push([entry])
      return
    }
    chunk.splice(at.index, 0, entry)
    if (chunk.length > CHUNK) this.#chunks.splice(at.chunk + 1, 0, chunk.splice(CHUNK / 2))
  }

  /** Takes out the entry that compares equal to this one. */
  remove(entry: E): void {
    const at = this.#place((other) => this.#compare(other, entry))
    const chunk = this.#chunks[at.chunk]
    const found = chunk?.[at.index]
    if (!chunk || found === undefined || this.#compare(found, entry) !== 0) return
    chunk.splice(at.index, 1)
    if (chunk.length === 0) this.#chunks.splice(at.chunk, 1)
  }

  /**
   * Entries from the first that is not before `low` up to the last that is before `high`, at most `limit` of them,
   * counted from the end and in falling order when `backwards`.
   */
  between(low: Side<E>, high: Side<E>, limit: number, backwards: boolean): E[] {
    const from = this.#place(low)
    const to = this.#place(high)
    const entries: E[] = []
    let { chunk, index } = backwards ? to : from
    while (entries.length < limit) {
      if (backwards) {
        if (chunk < from.chunk || (chunk === from.chunk && index <= from.index)) break
        if (index === 0) index = this.#chunks[--chunk]?.length ?? 0
        else entries.push(...(this.#chunks[chunk]?.slice(--index, index + 1) ?? []))
      } else {
        if (chunk > to.chunk || (chunk === to.chunk && index >= to.index)) break
        const entry = this.#chunks[chunk]?.[index++]
        if (entry === undefined) [chunk, index] = [chunk + 1, 0]
        else entries.push(entry)
      }
    }
    return entries
  }

  /** Place of the first entry that is not before; behind the last chunk where there is none. */
  #place(side: Side<E>): { chunk: number; index: number } {
    const chunk = firstNot(this.#chunks.length, (at) => {
      const last = this.#chunks[at]?.at(-1)
      return last !== undefined && side(last) < 0
    })
    const entries = this.#chunks[chunk] ?? []
    const index = firstNot(entries.length, (at) => {
      const entry = entries[at]
      return entry !== undefined && side(entry) < 0
    })
    return { chunk, index }
  }
}

/** The smallest number below `length` for which `isBefore` does not hold, or `length`. */
function firstNot(length: number, isBefore: (at: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
