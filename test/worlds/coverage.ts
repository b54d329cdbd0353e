const counts = new Map<string, number>()

/** Counts that a command met an outcome. */
export function met(command: string, outcome: string): void {
  const pair = `${command}: ${outcome}`
  counts.set(pair, (counts.get(pair) ?? 0) + 1)
}

export function coverage(): ReadonlyMap<string, number> {
  return new Map([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** A line a pair, for the long run. */
export function coverageLines(): string {
  const lines = [...coverage()].map(([pair, count]) => `${String(count).padStart(9)}  ${pair}`)
  return [`${[...counts.values()].reduce((sum, one) => sum + one, 0)} commands`, ...lines].join('\n')
}
