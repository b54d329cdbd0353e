import type { Source } from '../source.ts'
import { hex } from './hex.ts'

const DIGITS = 32
const DRAWN_AT_ONCE = 128

/**
 * Salts that are hashed with payloads, 16 bytes as hex digits each, so that a short text cannot be guessed from its
 * digest. Drawn many at once: for one, asking the system costs more than hashing the payload.
 */
export class Salts {
  readonly #source: Source
  #drawn = ''
  #used = 0

  constructor(source: Source) {
    this.#source = source
  }

  next(): string {
    if (this.#used >= this.#drawn.length) {
      this.#drawn = hex(this.#source.random((DRAWN_AT_ONCE * DIGITS) / 2))
      this.#used = 0
    }
    this.#used += DIGITS
    return this.#drawn.slice(this.#used - DIGITS, this.#used)
  }
}
