import { z } from 'zod'
import { json, type Json } from './json.ts'
import { blobHash, text, type Text } from './text.ts'

export interface TextPart {
  readonly type: 'text'
  readonly text: Text
}

/** What a model thought; shown to people apart from the answer. */
export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: Text
  /** A provider's signature or encrypted form, sent back as it came. */
  readonly signature?: string
}

/** A call that a model made. Exactly one of `arguments` and `argumentsText` is there. */
export interface ToolCallPart {
  readonly type: 'tool-call'
  readonly id: string
  readonly name: string
  readonly arguments?: Json
  /** Arguments that are no valid JSON, or JSON text too large to stand inline. */
  readonly argumentsText?: Text
}

export interface ToolResultPart {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly name?: string
  readonly text: Text
  readonly isError?: boolean
}

/** Bytes by content hash, or an address; exactly one of `blob` and `url` is there. */
export interface ImagePart {
  readonly type: 'image'
  readonly mediaType?: string
  readonly blob?: string
  readonly bytes?: number
  readonly url?: string
}

export interface FilePart {
  readonly type: 'file'
  readonly name?: string
  readonly mediaType?: string
  readonly blob?: string
  readonly bytes?: number
  readonly url?: string
}

/** What a provider adds and Refold has no word for. */
export interface OtherPart {
  readonly type: 'other'
  readonly kind: string
  readonly data: Json
}

export type Part = TextPart | ReasoningPart | ToolCallPart | ToolResultPart | ImagePart | FilePart | OtherPart

const attachment = {
  mediaType: z.string().exactOptional(),
  blob: blobHash.exactOptional(),
  bytes: z.int().nonnegative().exactOptional(),
  url: z.string().exactOptional(),
}
const oneSource = (part: { blob?: unknown; url?: unknown }): boolean =>
  (part.blob === undefined) !== (part.url === undefined)

export const part: z.ZodType<Part> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text }),
  z.strictObject({ type: z.literal('reasoning'), text, signature: z.string().exactOptional() }),
  z
    .strictObject({
      type: z.literal('tool-call'),
      id: z.string(),
      name: z.string(),
      arguments: json.exactOptional(),
      argumentsText: text.exactOptional(),
    })
    .refine((call) => (call.arguments === undefined) !== (call.argumentsText === undefined), {
      error: 'a tool call has either arguments or argumentsText',
    }),
  z.strictObject({
    type: z.literal('tool-result'),
    toolCallId: z.string(),
    name: z.string().exactOptional(),
    text,
    isError: z.boolean().exactOptional(),
  }),
  z
    .strictObject({ type: z.literal('image'), ...attachment })
    .refine(oneSource, { error: 'an image has a blob or a url' }),
  z
    .strictObject({ type: z.literal('file'), name: z.string().exactOptional(), ...attachment })
    .refine(oneSource, { error: 'a file has a blob or a url' }),
  z.strictObject({ type: z.literal('other'), kind: z.string(), data: json }),
])

export const parts: z.ZodType<readonly Part[]> = z.array(part)
