import type { Reading } from '../deciding/reading.ts'

/** Numbers that are tried one by one; beyond, a name is so common that gaps do not matter and time does. */
const TRIED_IN_TURN = 8

/**
 * What `probe` finds at the first number, from 1, that is free; undefined says that one is taken. Costs a few look-ups
 * however many are taken: from some number on it looks for a free one behind a taken one. `own` is one that the asker has
 * already and keeps where the first are taken; 0 for none.
 */
export function* nextFreeNumber<T>(probe: (number: number) => Reading<T | undefined>, own = 0): Reading<T> {
  let [last, next] = [0, 1]
  let free = yield* probe(next)
  while (free === undefined) {
    last = next
    next = last < TRIED_IN_TURN ? last + 1 : last === TRIED_IN_TURN && own > last ? own : last * 2
    free = yield* probe(next)
  }
  while (next - last > 1 && next !== own) {
    const middle = Math.floor((last + next) / 2)
    const nearer: T | undefined = yield* probe(middle)
    if (nearer === undefined) last = middle
    else [free, next] = [nearer, middle]
  }
  return free
}
