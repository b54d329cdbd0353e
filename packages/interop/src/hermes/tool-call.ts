import { decodeJson, isObject } from './decode-json.ts'

export interface HermesToolCall {
  readonly id: string | null
  readonly name: string | null
  /** The arguments as the provider wrote them; an object is written out as JSON. */
  readonly arguments: string
}

/** The tool calls of an assistant row, or the text of the column where it is no list of calls. */
export function decodeToolCalls(stored: string | null): {
  readonly calls: readonly HermesToolCall[]
  readonly unreadable: string | null
} {
  const { value, unreadable } = decodeJson(stored)
  if (unreadable !== null) return { calls: [], unreadable }
  if (value === null) return { calls: [], unreadable: null }
  const list = Array.isArray(value) ? value : [value]
  if (!list.every(isObject)) return { calls: [], unreadable: stored }
  return { calls: list.map(callOf), unreadable: null }
}

function callOf(raw: Readonly<Record<string, unknown>>): HermesToolCall {
  const inner = isObject(raw['function']) ? raw['function'] : raw
  return {
    id: firstText(raw['id'], raw['call_id']),
    name: firstText(inner['name']),
    arguments: argumentsOf(inner['arguments'] ?? inner['input'] ?? inner['args']),
  }
}

function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

function firstText(...values: readonly unknown[]): string | null {
  for (const value of values) if (typeof value === 'string' && value !== '') return value
  return null
}

/** Ids like `call_0` or `ls:1` count from the start in every answer, so equal ones prove nothing. */
export function isUniqueCallId(id: string): boolean {
  return id.length >= 12 && !/[:_-]\d{1,3}$/.test(id)
}
