/** Epoch milliseconds of an ISO 8601 time; not a number for what is none, nor for a day that its month does not have. */
export function isoTime(word: string): number {
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(word) ?? []
  if (day === undefined) return Number.NaN
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // Date.parse takes the 30th of February for the 2nd of March.
  const isDay = Number.isFinite(midnight) && new Date(midnight).toISOString().startsWith(day)
  return isDay ? Date.parse(word) : Number.NaN
}
