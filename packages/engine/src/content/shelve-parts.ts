import { isJson, LARGE_TEXT_BYTES, type Part } from '@refold/events'
import type { PartInput } from '../commands/message-input.ts'
import type { Shelf } from './shelf.ts'

/** Parts as events carry them: large texts, large arguments and attached bytes by reference. */
export function shelveParts(parts: readonly PartInput[], shelf: Shelf): readonly Part[] {
  return parts.map((part) => shelvePart(part, shelf))
}

function shelvePart(part: PartInput, shelf: Shelf): Part {
  if (part.type !== 'other' && 'data' in part) {
    const { data, ...rest } = part
    return { ...rest, blob: shelf.bytes(data), bytes: data.length }
  }
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'tool-result':
      return { ...part, text: shelf.text(part.text) }
    case 'tool-call': {
      const { arguments: given, argumentsText, ...call } = part
      if (argumentsText !== undefined) return { ...part, argumentsText: shelf.text(argumentsText) }
      if (given === undefined || !isJson(given)) return part // what is no JSON is refused where the event is checked
      const text = JSON.stringify(given)
      const isLarge = Buffer.byteLength(text) > LARGE_TEXT_BYTES
      return isLarge ? { ...call, argumentsText: shelf.large(text) } : part
    }
    case 'image':
    case 'file':
    case 'other':
      return part
    default:
      return part satisfies never
  }
}
