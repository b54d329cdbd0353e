import { setTimeout as sleep } from 'node:timers/promises'
import { RefoldError } from '@refold/events'
import type { Source } from '../../source.ts'
import { isBusy } from './sqlite-errors.ts'

const LONGEST_PAUSE_MS = 10

/** Milliseconds before the next try: growing, and spread so that waiting processes do not keep meeting each other. */
export function pauseBefore(attempt: number, source: Source): number {
  const spread = (source.random(1)[0] ?? 0) / 256
  return Math.max(Math.min(2 ** attempt, LONGEST_PAUSE_MS) * (0.5 + spread / 2), 1)
}

/**
 * Tries until no other process is in the way; throws `store-busy` after `waitMs`. The thread is never blocked, and time
 * is that of a clock which nobody sets.
 */
export async function whenFree<T>(
  attempt: () => T,
  { file, waitMs, source }: { readonly file: string; readonly waitMs: number; readonly source: Source },
): Promise<T> {
  const begun = performance.now()
  for (let tries = 0; ; tries += 1) {
    try {
      return attempt()
    } catch (problem) {
      if (!isBusy(problem)) throw problem
      const waitedMs = Math.round(performance.now() - begun)
      if (waitedMs >= waitMs) throw new RefoldError('store-busy', { file, waitedMs }, { cause: problem })
    }
    await sleep(pauseBefore(tries, source))
  }
}
