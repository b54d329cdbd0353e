import { headOf, type FilePart, type ImagePart, type Part, type ToolCallPart } from '@refold/events'
import { byteSize } from '../output/amount.ts'
import type { Look } from '../output/look.ts'
import { safeLine, safeText } from '../output/safe-text.ts'

/** `bash {"command":"ls"}` on one line. */
export function callWords({ name, arguments: given, argumentsText }: ToolCallPart): string {
  return `${safeLine(name)} ${safeLine(argumentsText === undefined ? JSON.stringify(given) : headOf(argumentsText))}`
}

/** `image image/png, 2.3 kB`. */
export function attachmentWords(part: ImagePart | FilePart): string {
  const name = part.type === 'file' && part.name !== undefined ? [safeLine(part.name)] : []
  const kind = part.mediaType === undefined ? part.type : `${part.type} ${safeLine(part.mediaType)}`
  return [...name, kind, ...(part.bytes === undefined ? [] : [byteSize(part.bytes)])].join(', ')
}

/** A message's parts as people read them on a screen, one or more lines each. */
export function partsWords(look: Look, parts: readonly Part[]): readonly string[] {
  return parts.map((part) => partWords(look, part)).filter((words) => words !== '')
}

function partWords({ colours }: Look, part: Part): string {
  switch (part.type) {
    case 'text':
    case 'tool-result':
      return indented(safeText(headOf(part.text)))
    case 'reasoning':
      return colours.dim(indented(safeText(headOf(part.text))))
    case 'tool-call':
      return indented(colours.cyan(`→ ${callWords(part)}`))
    case 'image':
    case 'file':
      return indented(colours.dim(`[${attachmentWords(part)}]`))
    case 'other':
      return indented(colours.dim(`[${safeLine(part.kind)}]`))
    default:
      return part satisfies never
  }
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ')
