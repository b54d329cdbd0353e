import { headOf, type Part, type Text } from '@refold/events'

/** Characters of a text that an audit line quotes. */
const QUOTED_CHARACTERS = 60

/** A text in quotes, on one line, cut. */
export function quoted(text: Text): string {
  const head = headOf(text)
  const line = head.replace(/\s+/g, ' ').trim()
  const characters = Array.from(line)
  const isCut = characters.length > QUOTED_CHARACTERS || typeof text !== 'string'
  return `“${characters.slice(0, QUOTED_CHARACTERS).join('')}${isCut ? '…' : ''}”`
}

/** The parts of a message in a few words. */
export function describeParts(parts: readonly Part[]): string {
  return parts.length === 0 ? 'nothing' : parts.map(describePart).join(', ')
}

function describePart(part: Part): string {
  switch (part.type) {
    case 'text':
      return quoted(part.text)
    case 'reasoning':
      return `reasoning ${quoted(part.text)}`
    case 'tool-call':
      return `call ${part.id} of ${part.name}`
    case 'tool-result':
      return `${part.isError === true ? 'error' : 'result'} of call ${part.toolCallId}: ${quoted(part.text)}`
    case 'image':
      return 'an image'
    case 'file':
      return part.name === undefined ? 'a file' : `the file ${part.name}`
    case 'other':
      return `something of kind ${part.kind}`
    default: {
      const never: never = part
      return never
    }
  }
}

export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
