import type { HermesPart } from './content.ts'
import type { HermesToolCall } from './tool-call.ts'

/** One thing that was said, once, in its fullest form. */
export interface HermesMessage {
  readonly kind: 'message'
  /** `<session id>/<row id>` of the row that held it first, with `#ask` where that row held a notice as well. */
  readonly key: string
  /** Hermes' own name for the message, in stores that have one. */
  readonly uid: string | null
  readonly role: 'user' | 'assistant' | 'tool' | 'system' | 'other'
  /** The role as stored. */
  readonly nativeRole: string
  readonly by: 'person' | 'model' | 'tool' | 'engine'
  readonly shownTo: 'both' | 'model'
  readonly text: string
  /** The part list, if any row of the message holds one. */
  readonly parts: readonly HermesPart[]
  readonly toolCalls: readonly HermesToolCall[]
  /** The text of the column where it is no list of calls. */
  readonly toolCallsUnreadable: string | null
  readonly toolCallId: string | null
  readonly toolName: string | null
  readonly reasoning: string | null
  readonly platformId: string | null
  readonly observed: boolean
  /** Epoch seconds as stored. */
  readonly rawTime: number | null
  /** The same, if it makes sense. */
  readonly time: number | null
  /** The segment in which it first appeared. */
  readonly segmentId: string
  readonly undone: boolean
  /** How the model is sent it now, where that differs from `text`, `parts` and `toolCalls`. */
  readonly wire: HermesWire | null
  readonly displayKind: string | null
  readonly displayMetadata: Readonly<Record<string, unknown>>
  readonly finishReason: string | null
  readonly tokenCount: number | null
  /** Provider data and unknown columns of its rows. */
  readonly extra: Readonly<Record<string, unknown>>
  /** All rows that hold it, in the order of reading. */
  readonly rows: readonly HermesRowUse[]
}

export interface HermesWire {
  readonly text: string
  readonly parts: readonly HermesPart[]
  readonly toolCalls: readonly HermesToolCall[]
  readonly rowId: number
  /** `api`: sent text kept apart; `carrier`: a summary around it; `merged`: joined with neighbours; `short`: pruned. */
  readonly why: 'api' | 'carrier' | 'merged' | 'short' | 'longer' | 'other'
}

export interface HermesRowUse {
  readonly rowId: number
  readonly sessionId: string
  readonly as: 'own' | 'copy' | 'carrier' | 'merged' | 'redelivery'
  readonly state: 'live' | 'archived' | 'gone'
}

/** An event that Hermes tells as a row of role user: a model switch, a finished background job. */
export interface HermesNotice {
  readonly kind: 'notice'
  readonly key: string
  readonly noticeKind: string
  readonly text: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly rawTime: number | null
  readonly time: number | null
  readonly segmentId: string
  readonly undone: boolean
  readonly rows: readonly HermesRowUse[]
}
