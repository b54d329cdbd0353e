import { type Carrier, carrierIn } from './carrier.ts'
import { columnSet } from './columns.ts'
import { decodeContent, type HermesPart } from './content.ts'
import { decodeJson, decodeJsonObject, stringsOf } from './decode-json.ts'
import { flagIn, numberIn, type RawRow, restOf, textIn } from './raw-row.ts'
import { withoutTodoList } from './todo-list.ts'
import { decodeToolCalls, type HermesToolCall } from './tool-call.ts'

/** One row of `messages`, decoded but not yet understood: it may be a message, a copy, a summary or a notice. */
export interface MessageRow {
  readonly id: number
  readonly sessionId: string
  readonly role: string
  /** The content column as stored; `null` is NULL. */
  readonly stored: string | null
  /** The whole text of the column, decoded; what the model is sent unless `apiContent` says otherwise. */
  readonly whole: string
  /** What was said: without the list mark, the summary that the row carries, and the appended task list. */
  readonly text: string
  readonly parts: readonly HermesPart[]
  readonly carrier: Carrier | null
  readonly toolCallId: string | null
  readonly toolName: string | null
  readonly calls: readonly HermesToolCall[]
  readonly callIds: readonly string[]
  readonly callsUnreadable: string | null
  /** Epoch seconds as stored, however absurd. */
  readonly time: number | null
  readonly state: RowState
  readonly platformId: string | null
  readonly observed: boolean
  readonly apiContent: string | null
  readonly displayKind: string | null
  readonly displayMetadata: Readonly<Record<string, unknown>>
  readonly uid: string | null
  readonly absorbedUids: readonly string[]
  readonly reasoning: string | null
  readonly finishReason: string | null
  readonly tokenCount: number | null
  /** Columns with provider data, decoded where they can be, and all columns that this reader does not know. */
  readonly extra: Readonly<Record<string, unknown>>
  /** The columns whose JSON could not be read; their text stands in `extra` or `stored`. */
  readonly unreadable: readonly string[]
}

/** `live` is what the model is sent, `archived` was summarised away, `gone` was undone or replaced by a copy. */
export type RowState = 'live' | 'archived' | 'gone'

const jsonExtras = ['reasoning_details', 'codex_reasoning_items', 'codex_message_items', 'tool_call_uids'] as const

const read = columnSet(
  'id session_id role content tool_call_id tool_calls tool_name timestamp token_count finish_reason reasoning',
  'reasoning_content platform_message_id observed _compressed_summary active compacted api_content display_kind',
  'display_metadata message_uid absorbed_message_uids',
  // A cache that Hermes recomputes from the rows.
  'display_identity display_order',
  ...jsonExtras,
)

/** Columns that are kept as they stand, though nothing here interprets them. */
const passedOn = columnSet('effect_disposition tool_call_uid')

export function unknownMessageColumns(columns: Iterable<string>): readonly string[] {
  return [...columns].filter((column) => !read.has(column) && !passedOn.has(column))
}

export function messageRow(row: RawRow): MessageRow {
  const stored = textIn(row, 'content')
  const role = textIn(row, 'role') ?? ''
  const content = decodeContent(stored)
  const { calls, unreadable: callsUnreadable } = decodeToolCalls(textIn(row, 'tool_calls'))
  const metadata = decodeJsonObject(textIn(row, 'display_metadata'))
  const carrier = role === 'tool' ? null : carrierIn(content.text, flagIn(row, '_compressed_summary'))
  const human = carrier === null ? content.text : (carrier.human ?? '')
  const { extra, broken } = extraOf(row)
  return {
    id: numberIn(row, 'id') ?? 0,
    sessionId: textIn(row, 'session_id') ?? '',
    role,
    stored,
    whole: content.text,
    text: role === 'user' ? withoutTodoList(human) : human,
    parts: content.parts,
    carrier,
    toolCallId: nonEmpty(textIn(row, 'tool_call_id')),
    toolName: nonEmpty(textIn(row, 'tool_name')),
    calls,
    callIds: calls.flatMap((call) => (call.id === null ? [] : [call.id])),
    callsUnreadable,
    time: numberIn(row, 'timestamp'),
    state: flagIn(row, 'active', true) ? 'live' : flagIn(row, 'compacted') ? 'archived' : 'gone',
    platformId: nonEmpty(textIn(row, 'platform_message_id')),
    observed: flagIn(row, 'observed'),
    apiContent: textIn(row, 'api_content'),
    displayKind: nonEmpty(textIn(row, 'display_kind')),
    displayMetadata: metadata.value,
    uid: nonEmpty(textIn(row, 'message_uid')),
    absorbedUids: stringsOf(decodeJson(textIn(row, 'absorbed_message_uids')).value),
    reasoning: nonEmpty(textIn(row, 'reasoning')) ?? nonEmpty(textIn(row, 'reasoning_content')),
    finishReason: textIn(row, 'finish_reason'),
    tokenCount: numberIn(row, 'token_count'),
    extra: metadata.unreadable === null ? extra : { ...extra, display_metadata: metadata.unreadable },
    unreadable: [
      ...(content.unreadable ? ['content'] : []),
      ...(callsUnreadable === null ? [] : ['tool_calls']),
      ...(metadata.unreadable === null ? [] : ['display_metadata']),
      ...broken,
    ],
  }
}

function extraOf(row: RawRow): {
  readonly extra: Readonly<Record<string, unknown>>
  readonly broken: readonly string[]
} {
  const extra: Record<string, unknown> = { ...restOf(row, read) }
  const broken: string[] = []
  for (const column of jsonExtras) {
    const { value, unreadable } = decodeJson(textIn(row, column))
    if (unreadable !== null) broken.push(column)
    if (unreadable !== null || value !== null) extra[column] = unreadable ?? value
  }
  return { extra, broken }
}

function nonEmpty(text: string | null): string | null {
  return text === '' ? null : text
}
