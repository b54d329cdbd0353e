import type { Scalar } from '@refold/projections'

/** 2^26 bits, 8 MiB: with a million rows of two keys each, one look-up in three hundred is made in vain. */
const BITS = 26
const WORD_BITS = 5
const SHIFT = 32 - BITS

/**
 * Tells what was surely never written, of keys and unique values in tables that were seen empty: a Bloom filter. Most rows
 * that a fold makes are new, and SQLite takes longer to find nothing than to insert.
 */
export class WrittenValues {
  readonly #words = new Int32Array(2 ** (BITS - WORD_BITS))

  /** `set` names the columns that the values are of. */
  add(set: string, values: readonly Scalar[]): void {
    const [first, second] = placesOf(set, values)
    this.#mark(first)
    this.#mark(second)
  }

  /** False: not one row with these values was ever added. */
  has(set: string, values: readonly Scalar[]): boolean {
    const [first, second] = placesOf(set, values)
    return this.#isMarked(first) && this.#isMarked(second)
  }

  #mark(place: number): void {
    const word = place >>> WORD_BITS
    this.#words[word] = (this.#words[word] ?? 0) | (1 << place)
  }

  #isMarked(place: number): boolean {
    return (((this.#words[place >>> WORD_BITS] ?? 0) >>> place) & 1) === 1
  }
}

function placesOf(set: string, values: readonly Scalar[]): readonly [number, number] {
  let hash = ofText(0, set)
  for (const value of values) hash = typeof value === 'string' ? ofText(hash, value) : ofNumber(hash, Number(value))
  return [spread(hash) >>> SHIFT, spread(hash ^ 0x5bd1e995) >>> SHIFT]
}

function ofText(start: number, text: string): number {
  let hash = start ^ text.length
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/** By both halves of a whole number. What else has the same hash costs look-ups and nothing else. */
function ofNumber(hash: number, value: number): number {
  return Math.imul(Math.imul(hash ^ value, 0x85ebca6b) ^ (value / 2 ** 32), 0xc2b2ae35)
}

/** Lets each bit of a hash count for all of them. */
function spread(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}
