import { json } from '@refold/events'
import type { MessageInput, MessageUsage } from '@refold/engine'
import { present } from '../words/present.ts'
import { aPart } from './part-line.ts'
import {
  aBoolean,
  aCount,
  aNumber,
  aText,
  aTime,
  fields,
  listOf,
  Misshapen,
  misshapen,
  oneOf,
  someText,
} from './shape.ts'

/** A message, and the turn that its line names. */
export interface MessageLine {
  readonly message: MessageInput
  readonly turn: string | undefined
}

const usageFields = fields({
  model: aText,
  provider: aText,
  task: aText,
  inputTokens: aNumber,
  outputTokens: aNumber,
  cacheReadTokens: aNumber,
  cacheWriteTokens: aNumber,
  reasoningTokens: aNumber,
  calls: aNumber,
  costUsd: aNumber,
  costBasis: oneOf('estimated', 'billed', 'included', 'unknown'),
})

const callFields = fields({
  id: aText,
  name: aText,
  arguments: (value) => json.parse(value),
})

const lineFields = fields({
  id: someText,
  role: someText,
  text: aText,
  reasoning: aText,
  toolCalls: listOf(toolCall),
  toolCallId: someText,
  toolName: aText,
  isError: aBoolean,
  parts: listOf(aPart),
  provenance: oneOf('person', 'engine', 'model', 'tool'),
  shownTo: oneOf('both', 'person', 'model'),
  partial: aCount,
  platformId: someText,
  at: aTime,
  author: aText,
  observed: aBoolean,
  failed: aBoolean,
  turn: someText,
  usage: usage,
})

/** Reads one line of `append`; throws a {@link Misshapen} that names the field. */
export function messageLine(line: string): MessageLine {
  const { role, turn, ...rest } = lineFields(parsed(line), '')
  if (role === undefined) misshapen('role', 'such as user, assistant or tool', role)
  const short = ['text', 'reasoning', 'toolCalls', 'toolCallId'] as const
  const double = rest.parts === undefined ? undefined : short.find((name) => rest[name] !== undefined)
  if (double !== undefined) throw new Misshapen(`${double} stands beside parts; give one of them`)
  return { message: { role, ...present(rest) }, turn }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw new Misshapen(error instanceof Error ? error.message : 'it is no JSON', { cause: error })
  }
}

function toolCall(value: unknown, where: string): NonNullable<MessageInput['toolCalls']>[number] {
  const { id, name, arguments: given } = callFields(value, where)
  if (id === undefined) misshapen(`${where}.id`, 'text', id)
  if (name === undefined) misshapen(`${where}.name`, 'text', name)
  return { id, name, arguments: given ?? {} }
}

function usage(value: unknown, where: string): MessageUsage {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens, ...rest } = usageFields(
    value,
    where,
  )
  const tokens = present({
    input: inputTokens,
    output: outputTokens,
    cacheRead: cacheReadTokens,
    cacheWrite: cacheWriteTokens,
    reasoning: reasoningTokens,
  })
  return { ...present(rest), tokens }
}
