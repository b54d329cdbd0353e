import { headOf, type Part, type ToolResultPart } from '@refold/events'
import type { ContextMessage } from './context-message.ts'

/** What the model reads in the place of a result that never came. */
const NO_RESULT = 'Interrupted: no result of this call was recorded, its outcome is unknown.'

/** Calls of the last message that made some: those without a result so far, and those that have one. */
interface OpenCalls {
  readonly by: ContextMessage | undefined
  readonly waiting: readonly string[]
  readonly answered: readonly string[]
}

const NONE: OpenCalls = { by: undefined, waiting: [], answered: [] }

/**
 * Pairs calls with results, as providers demand. A call without a result gets a stand-in as soon as anything but a result
 * follows; until then, at the very end, it waits. A result whose call is not waiting becomes words of its own; one that
 * comes a second time is left out.
 *
 * Each step looks only at what stands before it, so a longer context repairs its beginning in the same bytes (prompt
 * caches), and nothing is ever stored.
 */
export function repairCalls(messages: readonly ContextMessage[]): readonly ContextMessage[] {
  const repaired: ContextMessage[] = []
  let open = NONE
  for (const message of messages) {
    const step = pair(message, open)
    if (step.parts.length === 0 && message.parts.length > 0) continue
    if (step.continues) {
      open = { by: open.by, waiting: step.left, answered: [...open.answered, ...step.taken] }
    } else {
      repaired.push(...step.left.map((call) => standIn(open.by, call)))
      open = { by: message, waiting: step.made, answered: [] }
    }
    const isOnlyWords = message.role === 'tool' && !step.parts.some(({ type }) => type === 'tool-result')
    repaired.push({ ...message, role: isOnlyWords ? 'user' : message.role, parts: step.parts })
  }
  return repaired
}

interface Step {
  readonly parts: readonly Part[]
  /** Waiting calls that this message does not answer, and those that it does. */
  readonly left: readonly string[]
  readonly taken: readonly string[]
  /** Calls that it makes and does not answer itself. */
  readonly made: readonly string[]
  /** It holds nothing but results of waiting calls. */
  readonly continues: boolean
}

function pair(message: ContextMessage, open: OpenCalls): Step {
  const left = [...open.waiting]
  const made: string[] = []
  const taken: string[] = []
  const parts: Part[] = []
  let continues = message.parts.length > 0
  for (const part of message.parts) {
    if (part.type !== 'tool-result') {
      if (part.type === 'tool-call') made.push(part.id)
      parts.push(part)
      continues = false
    } else if (takeOut(made, part.toolCallId)) parts.push(part)
    else if (takeOut(left, part.toolCallId)) {
      taken.push(part.toolCallId)
      parts.push(part)
    } else if (!open.answered.includes(part.toolCallId) && !taken.includes(part.toolCallId)) {
      parts.push(inWords(part))
      continues = false
    }
  }
  return { parts, left, taken, made, continues }
}

function takeOut(calls: string[], call: string): boolean {
  const at = calls.indexOf(call)
  if (at >= 0) calls.splice(at, 1)
  return at >= 0
}

function inWords({ toolCallId, text }: ToolResultPart): Part {
  return { type: 'text', text: `[Result of call ${toolCallId}]\n${headOf(text)}` }
}

function standIn(by: ContextMessage | undefined, call: string): ContextMessage {
  return {
    role: 'tool',
    parts: [{ type: 'tool-result', toolCallId: call, text: NO_RESULT, isError: true }],
    standsFor: 'message',
    id: by?.id ?? call,
    repair: true,
  }
}
