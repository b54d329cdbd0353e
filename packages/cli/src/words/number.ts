import { isoTime } from './iso-time.ts'
import { UsageError } from './usage-error.ts'

/** A whole number in plain digits: no sign, no exponent, nothing that JavaScript could not hold exactly. */
export function parseCount(word: string, least: number): number {
  const value = /^\d{1,16}$/.test(word) ? Number(word) : Number.NaN
  if (!Number.isSafeInteger(value) || value < least) {
    throw new UsageError(`${JSON.stringify(word)} is no whole number from ${least} up`)
  }
  return value
}

export function parseNumber(word: string): number {
  const value = word.trim() === '' ? Number.NaN : Number(word)
  if (!Number.isFinite(value)) throw new UsageError(`${JSON.stringify(word)} is no number`)
  return value
}

/** Epoch milliseconds, or ISO 8601 (`2026-06-19T13:11:08Z`; local time where no zone is said). */
export function parseTime(word: string): number {
  const value = /^-?\d+$/.test(word) ? Number(word) : isoTime(word)
  if (!Number.isFinite(value)) {
    throw new UsageError(`${JSON.stringify(word)} is no time; give one like 2026-06-19T13:11:08Z`)
  }
  return value
}
