/** Epoch seconds of 1 January 2000. Nothing that Hermes wrote is older. */
const earliest = 946_684_800
const aDay = 86_400

/** Reads clocks as Hermes does when it sorts: a time counts between the year 2000 and a day from now. */
export interface Clock {
  readonly now: number
}

/** The time if it makes sense, else `null`; the raw value is kept beside it by the caller. */
export function saneTime(time: number | null, clock: Clock): number | null {
  return time !== null && time >= earliest && time <= clock.now + aDay ? time : null
}

/** Half a second: neither a person nor a model answers within it, and a batch is written far faster. */
const burstGap = 0.5

export function withinBurst(a: number | null, b: number | null): boolean {
  return a !== null && b !== null && Math.abs(a - b) <= burstGap
}

export function latest(times: Iterable<number | null>): number | null {
  let best: number | null = null
  for (const time of times) if (time !== null && (best === null || time > best)) best = time
  return best
}
