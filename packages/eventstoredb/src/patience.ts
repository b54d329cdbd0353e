import { setTimeout as sleep } from 'node:timers/promises'
import type { Source } from '@refold/engine'
import { failureOf } from './client-error.ts'

const FIRST_WAIT_MS = 25
const LONGEST_WAIT_MS = 1_000

/** How long calls are tried, in milliseconds in all, and with what randomness they wait in between. */
export interface Patience {
  readonly deadlineMs: number
  readonly source: Pick<Source, 'random'>
}

/**
 * Makes a call again while its outcome is unknown or it may be taken later: only for what is safe to repeat. `left` is how
 * long this try may take. Throws the last failure when the time is over.
 */
export async function insist<T>({ deadlineMs, source }: Patience, call: (left: number) => Promise<T>): Promise<T> {
  const until = performance.now() + deadlineMs
  for (let tried = 0; ; tried += 1) {
    try {
      return await call(Math.max(1, until - performance.now()))
    } catch (problem) {
      const failure = failureOf(problem)
      const wait = waitBefore(tried, source)
      if ((failure !== 'unknown' && failure !== 'later') || performance.now() + wait >= until) throw problem
      await sleep(wait)
    }
  }
}

/** Twice as long each time, and never the same for all. */
export function waitBefore(tried: number, source: Pick<Source, 'random'>): number {
  const [random = 0] = source.random(1)
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tried, 16))
  return (longest * (128 + random / 2)) / 255
}
