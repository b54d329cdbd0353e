import type { Blob, Json, MessageAppended, Sha256 } from '@refold/events'
import type { HermesMessage } from '../hermes/message.ts'
import { isEmptyJson, toJson } from '../importing/to-json.ts'
import { partsOf } from './message-parts.ts'
import { milliseconds } from './milliseconds.ts'

export interface MessageFact {
  readonly event: MessageAppended
  readonly blobs: readonly Blob[]
  /** What the event does not hold; null where it holds all. */
  readonly raw: Json
}

/** A message as the log keeps it. */
export function messageEvent(sha256: Sha256, message: HermesMessage, id: string): MessageFact {
  const { parts, blobs } = partsOf(sha256, message)
  const event: MessageAppended = {
    type: 'MessageAppended',
    data: {
      id,
      role: roleOf(message),
      parts,
      provenance: message.by,
      shownTo: message.shownTo,
      ...(message.platformId === null || message.platformId === '' ? {} : { platformId: message.platformId }),
      ...milliseconds(message.rawTime),
      ...(message.observed ? { observed: true } : {}),
    },
  }
  return { event, blobs, raw: rawOf(message) }
}

export function roleOf({ role, nativeRole }: HermesMessage): string {
  return role === 'other' ? nativeRole || 'other' : role
}

/** Reasons that every answer has, which say nothing. */
const usualFinish: ReadonlySet<string | null> = new Set([null, 'stop', 'tool_calls'])

function rawOf(message: HermesMessage): Json {
  const { reactions: _, ...metadata } = message.displayMetadata
  const raw: { readonly [field: string]: Json } = {
    nativeRole: message.nativeRole === roleOf(message) ? null : message.nativeRole,
    finishReason: usualFinish.has(message.finishReason) ? null : message.finishReason,
    tokenCount: message.tokenCount,
    displayKind: message.displayKind === 'hidden' ? null : message.displayKind,
    displayMetadata: toJson(metadata),
    toolName: message.role === 'tool' && message.toolCallId === null ? message.toolName : null,
    time: message.rawTime !== null && !Number.isFinite(message.rawTime) ? String(message.rawTime) : null,
    extra: toJson(message.extra),
  }
  const told = Object.entries(raw).filter(([, value]) => !isEmptyJson(value))
  return told.length === 0 ? null : Object.fromEntries(told)
}
