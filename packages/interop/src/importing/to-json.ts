import type { Json } from '@refold/events'

/** Any value out of a foreign store as JSON: bytes in base64, and what JSON cannot say as text. */
export function toJson(value: unknown): Json {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object') return null
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([name, field]) => [name, toJson(field)]),
  )
}

export const isEmptyJson = (json: Json): boolean =>
  json === null || json === '' || (typeof json === 'object' && Object.keys(json).length === 0)
