/** Seconds that one piece of work took. */
export async function seconds(work: () => unknown): Promise<number> {
  const start = process.hrtime.bigint()
  await work()
  return Number(process.hrtime.bigint() - start) / 1e9
}

export interface Pair {
  /** Median of the ratios (speed of ours by speed of theirs), taken pair by pair, so that a drifting machine cancels out. */
  readonly ratio: number
  readonly lowest: number
  readonly highest: number
  /** Median seconds of each. */
  readonly ours: number
  readonly theirs: number
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Runs both in turn, A B A B …, after one warm-up of each. Each returns the seconds that count of its run. */
export async function pairs(
  rounds: number,
  ours: (round: number) => Promise<number>,
  theirs: (round: number) => Promise<number>,
): Promise<Pair> {
  const measured: { readonly ours: number; readonly theirs: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    const pair = { ours: await ours(round), theirs: await theirs(round) }
    if (round > 0) measured.push(pair)
  }
  const ratios = measured.map((pair) => pair.theirs / pair.ours)
  return {
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    ours: median(measured.map((pair) => pair.ours)),
    theirs: median(measured.map((pair) => pair.theirs)),
  }
}
