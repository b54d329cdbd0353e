import type { Blob, Json, Part, Sha256, ToolCallPart } from '@refold/events'
import type { HermesPart } from '../hermes/content.ts'
import type { HermesMessage } from '../hermes/message.ts'
import type { HermesToolCall } from '../hermes/tool-call.ts'
import { toJson } from '../importing/to-json.ts'

export interface PartsAndBlobs {
  readonly parts: readonly Part[]
  readonly blobs: readonly Blob[]
}

type Body = Pick<HermesMessage, 'text' | 'parts' | 'toolCalls'> &
  Partial<Pick<HermesMessage, 'reasoning' | 'toolCallsUnreadable'>> &
  Pick<HermesMessage, 'role' | 'toolCallId' | 'toolName'>

/** What a message says, in Refold's parts: reasoning, words and attachments, calls. */
export function partsOf(sha256: Sha256, body: Body): PartsAndBlobs {
  const blobs: Blob[] = []
  const parts: Part[] = []
  if (body.reasoning != null) parts.push({ type: 'reasoning', text: body.reasoning })
  if (body.role === 'tool' && body.toolCallId !== null) {
    const name = body.toolName === null ? {} : { name: body.toolName }
    parts.push({ type: 'tool-result', toolCallId: body.toolCallId, ...name, text: body.text })
    parts.push(...attachments(sha256, body.parts, blobs))
  } else parts.push(...said(sha256, body, blobs))
  for (const call of body.toolCalls) parts.push(callPart(call))
  if (body.toolCallsUnreadable != null)
    parts.push({ type: 'other', kind: 'hermes-tool-calls', data: body.toolCallsUnreadable })
  if (parts.length === 0) parts.push({ type: 'text', text: '' })
  return { parts, blobs }
}

/** The parts in their order where their texts are the message's; else its text, and the attachments after it. */
function said(sha256: Sha256, { text, parts }: Body, blobs: Blob[]): readonly Part[] {
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  if (parts.length > 0 && texts.join('\n') === text)
    return parts.map((part) =>
      part.kind === 'text' ? { type: 'text', text: part.text } : attachment(sha256, part, blobs),
    )
  const words: readonly Part[] = text === '' ? [] : [{ type: 'text', text }]
  return [...words, ...attachments(sha256, parts, blobs)]
}

function attachments(sha256: Sha256, parts: readonly HermesPart[], blobs: Blob[]): readonly Part[] {
  return parts.flatMap((part) => (part.kind === 'text' ? [] : [attachment(sha256, part, blobs)]))
}

const dataUrl = /^data:([\w.+*-]+\/[\w.+*-]+)?(?:;[^,;]*)*;base64,/

function attachment(sha256: Sha256, part: Exclude<HermesPart, { readonly kind: 'text' }>, blobs: Blob[]): Part {
  if (part.kind === 'other' || part.url === '')
    return { type: 'other', kind: part.kind === 'image' ? 'image' : kindOf(part.raw), data: toJson(part.raw) }
  const head = dataUrl.exec(part.url)
  if (head === null) return { type: 'image', url: part.url }
  const bytes = Buffer.from(part.url.slice(head[0].length), 'base64')
  const blob = sha256(bytes)
  blobs.push({ hash: blob, bytes })
  const mediaType = head[1] === undefined ? {} : { mediaType: head[1] }
  return { type: 'image', ...mediaType, blob, bytes: bytes.length }
}

function kindOf(raw: unknown): string {
  const type = typeof raw === 'object' && raw !== null && 'type' in raw ? raw.type : null
  return typeof type === 'string' && type !== '' ? type : 'hermes-part'
}

function callPart({ id, name, arguments: given }: HermesToolCall): ToolCallPart {
  const call = { type: 'tool-call', id: id ?? '', name: name ?? '' } as const
  const value = sameInJson(given)
  return value === undefined ? { ...call, argumentsText: given } : { ...call, arguments: value }
}

/** The value of a JSON object that says the same when written again; else its text must be kept. */
function sameInJson(text: string): Json | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    const value: Json = JSON.parse(text)
    return withoutSpaces(JSON.stringify(value)) === withoutSpaces(text) ? value : undefined
  } catch {
    return undefined
  }
}

/** Without white space between tokens, and every character of a string as itself. */
function withoutSpaces(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, quoted: string | undefined) =>
    quoted === undefined ? '' : JSON.stringify(JSON.parse(quoted)),
  )
}
