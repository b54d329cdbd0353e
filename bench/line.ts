import type { Pair } from './measure.ts'

/** One line of the budget table in the design: what was measured, against what, and whether it is within its budget. */
export interface Line {
  readonly what: string
  readonly measured: string
  readonly budget: string
  readonly within: boolean
}

export const atLeast = (what: string, pair: Pair, budget: number, note = ''): Line => ({
  what,
  measured: `${pair.ratio.toFixed(2)} (${pair.lowest.toFixed(2)} to ${pair.highest.toFixed(2)})${note && `; ${note}`}`,
  budget: `at least ${budget}`,
  within: pair.ratio >= budget,
})

/** For costs: how many times the other's time ours took. */
export const atMost = (what: string, pair: Pair, budget: number, note = ''): Line => ({
  what,
  measured: `${(1 / pair.ratio).toFixed(2)} (${(1 / pair.highest).toFixed(2)} to ${(1 / pair.lowest).toFixed(2)})${note && `; ${note}`}`,
  budget: `at most ${budget}`,
  within: 1 / pair.ratio <= budget,
})

export const under = (what: string, value: number, budget: number, unit: string): Line => ({
  what,
  measured: `${value.toPrecision(3)} ${unit}`,
  budget: `under ${budget} ${unit}`,
  within: value < budget,
})

export const atMostTimes = (what: string, value: number, budget: number): Line => ({
  what,
  measured: value.toFixed(2),
  budget: `at most ${budget}`,
  within: value <= budget,
})

export function printLine({ what, measured, budget, within }: Line): void {
  console.log(`${within ? 'ok    ' : 'MISSES'}  ${what.padEnd(64)} ${measured.padEnd(40)} ${budget}`)
}
