import type { MessageInput } from '@refold/engine'
import { badLine } from './bad-input.ts'
import { messageLine, type MessageLine } from './message-line.ts'
import { readLines } from './read-lines.ts'
import { Misshapen } from './shape.ts'

/** Messages as their lines arrive; empty lines are passed over. Throws `bad-line` with the number of the line. */
export async function* eachMessage(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<MessageLine & { readonly line: number }> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const { number, bytes } of readLines(input)) {
    let text: string
    try {
      text = decoder.decode(bytes)
    } catch (error) {
      throw badLine(number, 'it is not UTF-8', error)
    }
    if (text.trim() === '') continue
    try {
      yield { ...messageLine(text), line: number }
    } catch (error) {
      if (error instanceof Misshapen) throw badLine(number, error.message, error)
      throw error
    }
  }
}

export interface Batch {
  readonly messages: readonly MessageInput[]
  /** The one turn that its lines name. */
  readonly turn: string | undefined
}

/** All messages up to the end of the input: one append, which stands under one turn. */
export async function readMessages(input: AsyncIterable<Uint8Array>): Promise<Batch> {
  const messages: MessageInput[] = []
  let turn: string | undefined
  for await (const { message, turn: named, line } of eachMessage(input)) {
    if (named !== undefined && turn !== undefined && named !== turn) {
      throw badLine(line, `its turn ${JSON.stringify(named)} is not that of the lines before (${JSON.stringify(turn)})`)
    }
    turn ??= named
    messages.push(message)
  }
  return { messages, turn }
}
