import { LARGE_TEXT_BYTES, type Part, type Sha256, type Text } from '@refold/events'

/** A print of parts that is the same before and after large texts went to the blob store. */
export function printOf(sha256: Sha256, parts: readonly Part[]): string {
  return JSON.stringify(parts, (key: string, value: unknown) =>
    (key === 'text' || key === 'argumentsText') && isText(value) ? textPrint(sha256, value) : value,
  )
}

/** The text itself, or its hash where it is large. */
export function textPrint(sha256: Sha256, text: Text): string {
  if (typeof text !== 'string') return `blob ${text.blob}`
  if (text.length * 3 <= LARGE_TEXT_BYTES) return `text ${text}`
  const bytes = new TextEncoder().encode(text)
  return bytes.length > LARGE_TEXT_BYTES ? `blob ${sha256(bytes)}` : `text ${text}`
}

function isText(value: unknown): value is Text {
  return typeof value === 'string' || (typeof value === 'object' && value !== null && 'blob' in value)
}
