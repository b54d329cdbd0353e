import { headOf, isKnown, type AnyRecorded, type Json, type Part } from '@refold/events'
import { wholeParts, wholeText, type LogContent } from '../render/log-content.ts'

/** What can be found of one event that gives a message or note its words. */
export interface Searchable {
  readonly kind: 'message' | 'note'
  /** Of the message or note. */
  readonly id: string
  /** Null for a note, and where the event does not say: that is an edit. */
  readonly role: string | null
  /** A text of a message that still grows. */
  readonly partial: boolean
  /** What somebody said. */
  readonly own: string
  /** What tools were given and gave back, what a model thought, names of attachments. */
  readonly other: string
  /** Names of the tools called, and of those whose results say theirs. */
  readonly tools: readonly string[]
  readonly calls: readonly { readonly id: string; readonly tool: string }[]
  /** Calls that it holds a result of without a name. */
  readonly answers: readonly string[]
}

/** Undefined for events that give nothing a person reads as a message or note; which of them are in sight is the rows' to say. */
export function searchable(event: AnyRecorded, content: Pick<LogContent, 'blob'>): Searchable | undefined {
  if (!isKnown(event)) return undefined
  const log = { blob: content.blob, event: (): undefined => undefined }
  if (event.type === 'MessageAppended') {
    const { id, role, parts, shownTo, partial } = event.data
    if (shownTo === 'model') return undefined
    return { ...ofParts(id, role, wholeParts(log, parts)), partial: partial !== undefined }
  }
  if (event.type === 'MessageEdited') return ofParts(event.data.message, null, wholeParts(log, event.data.parts))
  if (event.type !== 'Noted') return undefined
  const { note, shownTo, text } = event.data
  if (text === undefined || shownTo === 'model' || shownTo === 'none') return undefined
  const own = wholeText(log, text).normalize('NFC')
  return { kind: 'note', id: note, role: null, partial: false, own, other: '', tools: [], calls: [], answers: [] }
}

function ofParts(id: string, role: string | null, parts: readonly Part[]): Searchable {
  const own: string[] = []
  const other: string[] = []
  const tools: string[] = []
  const calls: { readonly id: string; readonly tool: string }[] = []
  const answers: string[] = []
  for (const part of parts)
    switch (part.type) {
      case 'text':
        ;(role === 'tool' ? other : own).push(headOf(part.text))
        break
      case 'reasoning':
        other.push(headOf(part.text))
        break
      case 'tool-call':
        other.push(
          part.name,
          part.argumentsText === undefined ? leaves(part.arguments) : ofArguments(part.argumentsText),
        )
        tools.push(part.name)
        calls.push({ id: part.id, tool: part.name })
        break
      case 'tool-result':
        other.push(headOf(part.text))
        if (part.name === undefined) answers.push(part.toolCallId)
        else tools.push(part.name)
        break
      case 'image':
      case 'file':
        other.push('name' in part && part.name !== undefined ? part.name : '', part.url ?? '')
        break
      case 'other':
        other.push(part.kind, leaves(part.data))
        break
      default: {
        const never: never = part
        return never
      }
    }
  return { kind: 'message', id, role, partial: false, own: lines(own), other: lines(other), tools, calls, answers }
}

const lines = (texts: readonly string[]): string =>
  texts
    .filter((text) => text !== '')
    .join('\n')
    .normalize('NFC')

/** Arguments that stand as text are JSON as a rule, whose escapes would run into the words. */
function ofArguments(said: Parameters<typeof headOf>[0]): string {
  const text = headOf(said)
  try {
    return leaves(JSON.parse(text))
  } catch {
    return text // no JSON: searched as it stands
  }
}

/** Names and values of a JSON document, a space between each. */
function leaves(value: Json | undefined): string {
  const words: string[] = []
  const waiting: (Json | undefined)[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string') words.push(next)
    else if (typeof next === 'number' || typeof next === 'boolean') words.push(String(next))
    else if (Array.isArray(next)) waiting.push(...next.toReversed())
    else if (typeof next === 'object' && next !== null)
      waiting.push(
        ...Object.entries(next)
          .toReversed()
          .flatMap(([name, inner]) => [inner, name]),
      )
  }
  return words.join(' ')
}
