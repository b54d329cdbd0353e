import { hash, randomBytes } from 'node:crypto'
import type { Source } from './source.ts'

/** The machine's clock, randomness and hash: the one place that touches them. */
export const systemSource: Source = {
  now: () => Date.now(),
  random: (length) => randomBytes(length),
  sha256: (data) => hash('sha256', data),
}
