import type { Part } from '@refold/events'
import type { ContextMessage } from './context-message.ts'

/** Bytes that an image or file counts as, whatever its size: providers take them apart from the text. */
export const ATTACHMENT_BYTES: number = 4096

/** UTF-8 bytes of a prompt and messages, each message as its JSON text. */
export function contextBytes(systemPrompt: string | null, messages: readonly ContextMessage[]): number {
  return messages.reduce(
    (sum, message) => sum + messageBytes(message),
    systemPrompt === null ? 0 : utf8Bytes(systemPrompt),
  )
}

const isAttachment = ({ type }: Part): boolean => type === 'image' || type === 'file'

/** UTF-8 bytes of `{"role":…,"parts":[…]}`, images and files as a fixed number. */
export function messageBytes({ role, parts }: Pick<ContextMessage, 'role' | 'parts'>): number {
  const attachments = parts.filter(isAttachment).length
  const text = JSON.stringify({ role, parts: parts.filter((part) => !isAttachment(part)) })
  return utf8Bytes(text) + attachments * ATTACHMENT_BYTES
}

/** Length of a text in UTF-8 bytes; a lone surrogate counts as the replacement character that it is written as. */
export function utf8Bytes(text: string): number {
  let bytes = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else if (unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(at + 1))) {
      bytes += 4
      at++
    } else bytes += 3
  }
  return bytes
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000
