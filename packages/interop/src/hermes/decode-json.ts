/** JSON from a foreign column: the value, or the text that could not be read. */
export type Decoded =
  | { readonly value: unknown; readonly unreadable: null }
  | { readonly value: null; readonly unreadable: string }

/** Decodes once, and once more when the result is itself JSON in a string: old writers encoded twice. */
export function decodeJson(text: string | null): Decoded {
  if (text === null || text.trim() === '') return { value: null, unreadable: null }
  const once = parse(text)
  if (once === undefined) return { value: null, unreadable: text }
  if (typeof once !== 'string') return { value: once, unreadable: null }
  const twice = parse(once)
  return { value: typeof twice === 'object' ? twice : once, unreadable: null }
}

/** As {@link decodeJson}, but anything that is no object counts as unreadable. */
export function decodeJsonObject(text: string | null): {
  readonly value: Readonly<Record<string, unknown>>
  readonly unreadable: string | null
} {
  const { value, unreadable } = decodeJson(text)
  if (isObject(value)) return { value, unreadable: null }
  return { value: {}, unreadable: unreadable ?? (value === null ? null : text) }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
