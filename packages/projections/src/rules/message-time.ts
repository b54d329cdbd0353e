/**
 * Earliest time that a message or session is believed to have: 2000-01-01. Clocks that lost their battery say 1970 or
 * 1980; no agent wrote a history before.
 */
const EARLIEST: number = Date.UTC(2000, 0, 1)

/**
 * A time that a caller gave, as far as it can be believed: never after it was recorded, undefined where it is absent or
 * absurd. Judged against the event's own time of recording, never against now, so that it stays the same for ever.
 */
export function ownTime(at: number | undefined, recordedAt: number): number | undefined {
  if (at === undefined || !Number.isFinite(at) || at < EARLIEST) return undefined
  return Math.min(at, recordedAt)
}
