import { headOf, type Part, type Text } from '@refold/events'

/** A message's parts as the fields of its JSON; absent where there are none. */
export interface MessageContent {
  /** Text parts and tool results, joined by line breaks. */
  readonly text: string
  readonly reasoning?: string
  readonly toolCalls?: readonly object[]
  readonly toolCallId?: string
  readonly isError?: true
  /** Where one message brings several results. */
  readonly toolResults?: readonly object[]
  readonly attachments?: readonly object[]
  readonly other?: readonly object[]
}

export function messageContent(parts: readonly Part[]): MessageContent {
  const texts: string[] = []
  const reasoning: string[] = []
  const toolCalls: object[] = []
  const toolResults: { toolCallId: string; text: string; isError?: true }[] = []
  const attachments: object[] = []
  const other: object[] = []
  for (const part of parts) {
    switch (part.type) {
      case 'text':
        texts.push(inline(part.text))
        break
      case 'reasoning':
        reasoning.push(inline(part.text))
        break
      case 'tool-call':
        toolCalls.push({ id: part.id, name: part.name, ...callArguments(part) })
        break
      case 'tool-result':
        texts.push(inline(part.text))
        toolResults.push({
          toolCallId: part.toolCallId,
          text: inline(part.text),
          ...(part.isError === true && { isError: true }),
        })
        break
      case 'image':
      case 'file': {
        const { blob, ...rest } = part
        attachments.push({ ...rest, ...(blob !== undefined && { sha256: blob }) })
        break
      }
      case 'other':
        other.push({ kind: part.kind, data: part.data })
        break
      default:
        part satisfies never
    }
  }
  const [result, ...moreResults] = toolResults
  return {
    text: texts.join('\n'),
    ...(reasoning.length > 0 && { reasoning: reasoning.join('\n') }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(result !== undefined && { toolCallId: result.toolCallId }),
    ...(result?.isError && { isError: true }),
    ...(moreResults.length > 0 && { toolResults }),
    ...(attachments.length > 0 && { attachments }),
    ...(other.length > 0 && { other }),
  }
}

/** Answers of the engine hold texts whole; a head stands in only where a text was not resolved. */
const inline = (text: Text): string => headOf(text)

function callArguments(part: Part & { readonly type: 'tool-call' }): object {
  if (part.argumentsText !== undefined) return { argumentsText: inline(part.argumentsText) }
  return { arguments: part.arguments }
}
