import type { FilePart, ImagePart, Json, Part, Provenance, Role, ShownTo, TokenCounts } from '@refold/events'

/** An image or a file whose bytes come along; they are stored once by content hash. */
export type AttachmentInput =
  | (Omit<ImagePart, 'blob' | 'bytes' | 'url'> & { readonly data: Uint8Array })
  | (Omit<FilePart, 'blob' | 'bytes' | 'url'> & { readonly data: Uint8Array })

/** A part as a caller gives it. Texts may have any length: the engine moves large ones to the blob store. */
export type PartInput = Part | AttachmentInput

/** Tokens and money that producing one message took. */
export interface MessageUsage {
  readonly model?: string
  readonly provider?: string
  readonly task?: string
  readonly tokens: TokenCounts
  readonly calls?: number
  readonly costUsd?: number
  readonly costBasis?: 'estimated' | 'billed' | 'included' | 'unknown'
}

/**
 * One message. Either `parts`, or the short forms: `reasoning`, then `text`, then `toolCalls`; with `toolCallId` the text
 * is the result of that call.
 */
export interface MessageInput {
  /** Absent: derived from `platformId`, else from the command's key and the place in the batch. */
  readonly id?: string
  readonly role: Role
  readonly text?: string
  readonly reasoning?: string
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments: Json }[]
  readonly toolCallId?: string
  readonly toolName?: string
  readonly isError?: boolean
  readonly parts?: readonly PartInput[]
  /** Absent: `person` for user, `model` for assistant, `tool` for tool, `engine` for all other roles. */
  readonly provenance?: Provenance
  /** Absent: both. */
  readonly shownTo?: ShownTo
  /** A growing answer's running number, rising; the message without it completes the answer. */
  readonly partial?: number
  /** The id a chat platform gave; a second message of the session with it is already there. */
  readonly platformId?: string
  /** The message's own time, epoch milliseconds. */
  readonly at?: number
  readonly author?: string
  readonly observed?: boolean
  readonly failed?: boolean
  /** Recorded once under the message's id. */
  readonly usage?: MessageUsage
}
