import { headOf, type Json, type Part } from '@refold/events'
import type { ContextMessage } from './context-message.ts'
import type { TranscriptEntry } from './transcript-entry.ts'

type JsonObject = { readonly [field: string]: Json }

/** An entry of a transcript as `refold show --json` prints it. */
export function entryJson(entry: TranscriptEntry): JsonObject {
  const at = isoTime(entry.at)
  const inherited = entry.inherited ? { inherited: true } : {}
  if (entry.kind !== 'message') return { kind: entry.kind, id: entry.id, ...entry.details, at, ...inherited }
  const { id, role, parts, state, editedAt, author } = entry
  return {
    kind: 'message',
    id,
    role,
    ...partsJson(parts),
    at,
    ...(author !== null && { author }),
    ...(state !== 'complete' && { state }),
    ...(editedAt !== null && { editedAt: isoTime(editedAt) }),
    ...inherited,
  }
}

/** A message of the context as `refold context --json` prints it. */
export function contextMessageJson({ role, parts, standsFor, id, repair }: ContextMessage): JsonObject {
  return { role, ...partsJson(parts), standsFor, id, ...(repair === true && { repair }) }
}

/** ISO 8601 in UTC; null for a clock value that no date can say. */
export function isoTime(time: number): string | null {
  return Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : null
}

/** Parts by what they are: texts joined, a single result with the id of its call, several as a list. */
function partsJson(parts: readonly Part[]): JsonObject {
  const texts: string[] = []
  const reasoning: string[] = []
  const toolCalls: JsonObject[] = []
  const results: JsonObject[] = []
  const attachments: JsonObject[] = []
  const other: JsonObject[] = []
  for (const part of parts) {
    switch (part.type) {
      case 'text':
        texts.push(headOf(part.text))
        break
      case 'reasoning':
        reasoning.push(headOf(part.text))
        break
      case 'tool-call': {
        const { id, name } = part
        const said = part.argumentsText === undefined ? undefined : { argumentsText: headOf(part.argumentsText) }
        toolCalls.push({ id, name, ...(said ?? { arguments: part.arguments ?? null }) })
        break
      }
      case 'tool-result': {
        const { toolCallId, text, isError } = part
        results.push({ toolCallId, text: headOf(text), ...(isError === true && { isError }) })
        break
      }
      case 'image':
      case 'file':
        attachments.push(attachmentJson(part))
        break
      case 'other':
        other.push({ kind: part.kind, data: part.data })
        break
      default: {
        const never: never = part
        return never
      }
    }
  }
  const [only] = results.length === 1 && texts.length === 0 ? results : []
  return {
    ...(only ?? { text: texts.join('\n') }),
    ...(reasoning.length > 0 && { reasoning: reasoning.join('\n') }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(!only && results.length > 0 && { toolResults: results }),
    ...(attachments.length > 0 && { attachments }),
    ...(other.length > 0 && { other }),
  }
}

function attachmentJson(part: Extract<Part, { readonly type: 'image' | 'file' }>): JsonObject {
  const { type, mediaType, bytes, blob, url } = part
  return {
    type,
    ...('name' in part && part.name !== undefined && { name: part.name }),
    ...(mediaType !== undefined && { mediaType }),
    ...(bytes !== undefined && { bytes }),
    ...(blob !== undefined && { sha256: blob }),
    ...(url !== undefined && { url }),
  }
}
