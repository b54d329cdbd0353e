import type { Json } from '@refold/events'

/**
 * The same value with U+FFFD for each half of a character that lost its other half. The log keeps what was said; what goes
 * out must be text that every parser takes, or one cut emoji makes all later requests of a session invalid.
 */
export function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map(wellFormed)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]))
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
