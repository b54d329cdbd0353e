import type { Json } from '@refold/events'
import type { SessionState } from './session-state.ts'

/** Raised whenever {@link SessionState} or its fold changes: older snapshots are not used. */
export const STATE_VERSION = 2

/** The state as JSON: maps become lists of pairs. */
export function encodeState(state: SessionState): Json {
  const plain = JSON.stringify(state, (_key, value: unknown) => (value instanceof Map ? { pairs: [...value] } : value))
  const parsed: Json = JSON.parse(plain)
  return parsed
}

export function decodeState(json: Json): SessionState {
  const text = JSON.stringify(json)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by encodeState in this very version
  return JSON.parse(text, (_key, value: unknown) => (isPairs(value) ? new Map(value.pairs) : value)) as SessionState
}

function isPairs(value: unknown): value is { readonly pairs: readonly (readonly [string, unknown])[] } {
  return typeof value === 'object' && value !== null && 'pairs' in value && Array.isArray(value.pairs)
}
