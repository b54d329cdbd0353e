import { hash } from 'node:crypto'
import type { Source } from '@refold/engine'

/** A clock that only moves when told to, and bytes that are the same in every run. */
export function testSource(start = 1_800_000_000_000): Source & { advance(ms: number): void } {
  let now = start
  let drawn = 0
  return {
    now: () => now,
    advance: (ms) => {
      now += ms
    },
    random: (length) => {
      drawn += 1
      const digest = Buffer.from(hash('sha256', `random ${drawn}`), 'hex')
      return Uint8Array.from({ length }, (_, index) => digest[index % digest.length] ?? 0)
    },
    sha256: (data) => hash('sha256', data),
  }
}
