import { isLarge, RefoldError, type EventStore, type Part, type Text } from '@refold/events'

/** A mark of byte order at the front is the text's own, for no writer of ours puts one there. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The text itself, from the blob store where it is large. */
export async function wholeText(store: EventStore, text: Text): Promise<string> {
  if (!isLarge(text)) return text
  const bytes = await store.blob(text.blob)
  if (!bytes) throw new RefoldError('blob-missing', { blob: text.blob })
  return decoder.decode(bytes)
}

/** Parts with all their texts whole. Attached bytes stay references. */
export function wholeParts(store: EventStore, parts: readonly Part[]): Promise<readonly Part[]> {
  return Promise.all(parts.map((part) => wholePart(store, part)))
}

async function wholePart(store: EventStore, part: Part): Promise<Part> {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'tool-result':
      return { ...part, text: await wholeText(store, part.text) }
    case 'tool-call':
      return part.argumentsText === undefined
        ? part
        : { ...part, argumentsText: await wholeText(store, part.argumentsText) }
    case 'image':
    case 'file':
    case 'other':
      return part
    default:
      return part satisfies never
  }
}
