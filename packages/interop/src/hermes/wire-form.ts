import type { Entry, RowUse } from './entry.ts'
import type { HermesMessage, HermesWire } from './message.ts'
import type { HermesToolCall } from './tool-call.ts'

type Body = Pick<HermesMessage, 'text' | 'parts' | 'toolCalls'>

/** The form in which the newest live row sends a message, or `null` if it is sent as it reads. */
export function wireOf(entry: Entry, body: Body, tipId: string): HermesWire | null {
  const use = entry.uses.findLast(({ row }) => row.sessionId === tipId && row.state === 'live')
  if (use === undefined) return null
  const { row } = use
  const text = row.apiContent ?? row.whole
  if (text === body.text && sameArguments(row.calls, body.toolCalls) && row.parts.length === body.parts.length)
    return null
  return { text, parts: row.parts, toolCalls: row.calls, rowId: row.id, why: reasonOf(use, body) }
}

function reasonOf({ row, as }: RowUse, body: Body): HermesWire['why'] {
  if (row.carrier !== null) return 'carrier'
  if (as === 'merged') return 'merged'
  if (row.apiContent !== null) return 'api'
  if (row.whole.length > body.text.length) return 'longer'
  return row.whole.length < body.text.length || !sameArguments(row.calls, body.toolCalls) ? 'short' : 'other'
}

function sameArguments(a: readonly HermesToolCall[], b: readonly HermesToolCall[]): boolean {
  return a.length === b.length && a.every((call, at) => call.arguments === b[at]?.arguments)
}
