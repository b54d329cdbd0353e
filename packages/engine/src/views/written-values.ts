import type { Scalar } from '@refold/projections'

/** 2^26 bits, 8 MiB: with a million entries in three sets, one look-up in twenty is made in vain. */
const BITS = 26
const WORD_BITS = 5

/**
 * Tells what was surely never written, of keys and unique values in tables that were seen empty: a Bloom filter with one
 * bit for each. Most rows that a fold makes are new, and SQLite takes longer to find nothing than to insert.
 */
export class WrittenValues {
  readonly #words = new Int32Array(2 ** (BITS - WORD_BITS))

  /** `set` stands for the columns that the values are of; see `setOf`. */
  add(set: number, values: readonly Scalar[]): void {
    const bit = bitOf(set, values)
    const word = bit >>> WORD_BITS
    this.#words[word] = (this.#words[word] ?? 0) | (1 << bit)
  }

  /** False: not one row with these values was ever added. */
  has(set: number, values: readonly Scalar[]): boolean {
    const bit = bitOf(set, values)
    return (((this.#words[bit >>> WORD_BITS] ?? 0) >>> bit) & 1) === 1
  }
}

/** A number for a set of columns, by its name. */
export function setOf(name: string): number {
  return ofText(0, name)
}

function bitOf(set: number, values: readonly Scalar[]): number {
  let hash = set
  for (const value of values) hash = typeof value === 'string' ? ofText(hash, value) : ofNumber(hash, Number(value))
  return spread(hash) >>> (32 - BITS)
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
