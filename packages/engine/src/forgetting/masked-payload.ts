import type { Json } from '@refold/events'

/** What stands where words were. Not empty, so that a masked event still fits its schema. */
export const MASK = '█'

/** Strings that are ids or words of Refold's own: edges and places hang on them. */
const STRUCTURE: ReadonlySet<string> = new Set(
  [
    ['id', 'message', 'messageId', 'session', 'segment', 'toolCallId', 'compactionId', 'undoId', 'newUndoId'],
    ['lastThatStays', 'deletionId', 'purgeId', 'seed', 'along', 'kept', 'carrier', 'turn', 'run', 'injectedAs'],
    ['eventId', 'eventIds', 'digest', 'parts', 'claim', 'note', 'platformId', 'from', 'to', 'previous'],
    ['type', 'kind', 'role', 'summaryRole', 'by', 'class', 'key', 'outcome', 'shownTo', 'costBasis', 'model', 'tool'],
  ].flat(),
)

/** Fields whose value is a host's or a tool's own JSON, in which any name may hold words. */
const FOREIGN: ReadonlySet<string> = new Set(['arguments', 'data', 'details', 'value'])

/** Events that hold no words: their numbers and edges stay as they are. */
const WORDLESS: ReadonlySet<string> = new Set(['UsageRecorded', 'PurgeStarted', 'Purged', 'Redacted', 'Archived'])

/**
 * The payload of an event without anything that somebody said: a well-formed event of the same type, from which the same rows
 * are folded. `name` tells titles apart, as two sessions never hold the same one. Null where nothing is to be taken away.
 */
export function maskedPayload(type: string, payload: string, name: string): string | null {
  if (WORDLESS.has(type)) return null
  const data: Json = JSON.parse(payload)
  const masked = JSON.stringify(type === 'Renamed' ? titleMasked(data, name) : maskedValue(data, ''))
  return masked === payload ? null : masked
}

function titleMasked(data: Json, name: string): Json {
  if (!isObject(data) || typeof data.title !== 'string') return data
  return { ...data, title: `${MASK} ${name}` }
}

function maskedValue(value: Json, field: string): Json {
  if (typeof value === 'string') return STRUCTURE.has(field) ? value : MASK
  if (Array.isArray(value)) return value.map((one) => maskedValue(one, field))
  if (!isObject(value)) return value
  if (typeof value.blob === 'string' && typeof value.head === 'string') return MASK
  const masked: { [name: string]: Json } = {}
  for (const [name, one] of Object.entries(value)) {
    if (FOREIGN.has(name) && typeof one === 'object' && one !== null) masked[name] = MASK
    else if (name === 'blob') masked.url = MASK // a content's hash gives a short content away
    else if (name !== 'bytes' || !('blob' in value)) masked[name] = maskedValue(one, name)
  }
  return masked
}

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
