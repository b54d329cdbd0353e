import { type Clock, saneTime } from './clock.ts'
import { imagesIn } from './content.ts'
import { type Entry, isUndone, type RowUse } from './entry.ts'
import type { HermesMessage, HermesNotice, HermesRowUse } from './message.ts'
import type { MessageRow } from './message-row.ts'
import type { HermesToolCall } from './tool-call.ts'
import { wireOf } from './wire-form.ts'

/** What the model is sent is read off the rows of the newest segment. */
export interface Tip {
  readonly segmentId: string
}

export function buildMessage(entry: Entry, tip: Tip, clock: Clock): HermesMessage {
  const { first } = entry
  const own = entry.uses.filter((use) => use.as !== 'merged' && use.as !== 'redelivery').map((use) => use.row)
  const rows = own.length > 0 ? own : [first]
  const { text, parts, toolCalls } = fullest(entry, rows)
  const pick = <Value>(of: (row: MessageRow) => Value | null): Value | null => {
    for (const row of rows) {
      const value = of(row)
      if (value !== null) return value
    }
    return null
  }
  return {
    kind: 'message',
    key: entry.key,
    uid: pick((row) => row.uid),
    role: roleOf(entry.role),
    nativeRole: entry.role,
    by: saidBy(entry),
    shownTo: isForModelOnly(entry) ? 'model' : 'both',
    text,
    parts,
    toolCalls,
    toolCallsUnreadable: pick((row) => row.callsUnreadable),
    toolCallId: pick((row) => row.toolCallId),
    toolName: pick((row) => row.toolName),
    reasoning: pick((row) => row.reasoning),
    platformId: pick((row) => row.platformId),
    observed: first.observed,
    rawTime: first.time,
    time: saneTime(first.time, clock),
    segmentId: entry.segmentId,
    undone: isUndone(entry),
    wire: wireOf(entry, { text, parts, toolCalls }, tip.segmentId),
    displayKind: entry.key.includes('#') ? null : first.displayKind,
    displayMetadata: Object.assign({}, ...rows.map((row) => row.displayMetadata)),
    finishReason: pick((row) => row.finishReason),
    tokenCount: pick((row) => row.tokenCount),
    extra: Object.assign({}, ...[...rows].reverse().map((row) => row.extra)),
    rows: entry.uses.map(rowUse),
  }
}

export function buildNotice(entry: Entry, clock: Clock): HermesNotice {
  return {
    kind: 'notice',
    key: entry.key,
    noticeKind: entry.noticeKind ?? '',
    text: entry.text,
    metadata: entry.first.displayMetadata,
    rawTime: entry.first.time,
    time: saneTime(entry.first.time, clock),
    segmentId: entry.segmentId,
    undone: isUndone(entry),
    rows: entry.uses.map(rowUse),
  }
}

function roleOf(role: string): HermesMessage['role'] {
  switch (role) {
    case 'user':
    case 'assistant':
    case 'tool':
    case 'system':
      return role
    case 'developer':
      return 'system'
    default:
      return 'other'
  }
}

function saidBy(entry: Entry): HermesMessage['by'] {
  if (entry.role === 'assistant') return 'model'
  if (entry.role === 'tool') return 'tool'
  return entry.role === 'user' && !isForModelOnly(entry) ? 'person' : 'engine'
}

/** Hidden rows and system texts; and what is nothing but an open task list, which a compaction puts there. */
export function isForModelOnly(entry: Entry): boolean {
  const { first } = entry
  if (first.displayKind === 'hidden' || roleOf(entry.role) === 'system') return true
  if (first.displayMetadata['model_only'] === true) return true
  return (
    entry.role === 'user' &&
    entry.text === '' &&
    first.whole.trim() !== '' &&
    first.parts.length === 0 &&
    first.carrier === null
  )
}

/** The longest form of each piece: copies are stubbed, cut and flattened, never longer than their original. */
function fullest(entry: Entry, rows: readonly MessageRow[]): Pick<HermesMessage, 'text' | 'parts' | 'toolCalls'> {
  const splitOff = entry.uses[0]?.as === 'merged'
  const texts = splitOff ? [entry.text] : [entry.text, ...rows.map((row) => row.text)]
  const withParts = rows.filter((row) => row.parts.length > 0)
  const parts = withParts.reduce<HermesMessage['parts']>(
    (best, row) => (imagesIn(row.parts) > imagesIn(best) || best.length === 0 ? row.parts : best),
    [],
  )
  return {
    text: texts.reduce((best, text) => (text.length > best.length ? text : best)),
    parts,
    toolCalls: fullestCalls(rows),
  }
}

function fullestCalls(rows: readonly MessageRow[]): readonly HermesToolCall[] {
  const [first, ...others] = rows.map((row) => row.calls).filter((calls) => calls.length > 0)
  if (first === undefined) return []
  return first.map((call, at) =>
    others.reduce((best, calls) => {
      const other = calls[at]
      return other !== undefined && other.id === best.id && other.arguments.length > best.arguments.length
        ? other
        : best
    }, call),
  )
}

function rowUse({ row, as }: RowUse): HermesRowUse {
  return { rowId: row.id, sessionId: row.sessionId, as, state: row.state }
}
