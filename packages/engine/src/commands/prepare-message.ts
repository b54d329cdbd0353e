import {
  encodeEvent,
  isRefoldError,
  platformMessageId,
  RefoldError,
  type EncodedEvent,
  type MessageAppended,
  type Part,
  type Provenance,
  type Sha256,
  type UsageRecorded,
} from '@refold/events'
import type { Shelf } from '../content/shelf.ts'
import { shelveParts } from '../content/shelve-parts.ts'
import { derivedMessageId } from '../deciding/desk.ts'
import { checkUsage } from './check-usage.ts'
import type { MessageInput, PartInput } from './message-input.ts'

/** A message ready to be decided on: checked, its large texts on the shelf, its id fixed. */
export interface PreparedMessage {
  readonly event: MessageAppended
  /** The event as it will be stored: checked and written down once. */
  readonly encoded: EncodedEvent
  /** The id was derived from the platform's. */
  readonly isPlatformsOwn: boolean
  readonly usage: UsageRecorded | null
}

/** Ids of messages that have none derive from the key and their place, so that a repeat of the command finds them. */
export function prepareMessages(
  inputs: readonly MessageInput[],
  {
    key,
    turn,
    shelf,
    sha256,
  }: { readonly key: string; readonly turn?: string; readonly shelf: Shelf; readonly sha256: Sha256 },
): readonly PreparedMessage[] {
  return inputs.map((input, index) => {
    const isPlatformsOwn = input.id === undefined && input.platformId !== undefined
    const id =
      input.id ??
      (input.platformId === undefined
        ? derivedMessageId(sha256, key, index)
        : platformMessageId(sha256, input.platformId))
    const event: MessageAppended = {
      type: 'MessageAppended',
      data: {
        id,
        role: input.role,
        parts: shelveParts(partsOf(input), shelf),
        provenance: input.provenance ?? provenanceOf(input.role),
        shownTo: input.shownTo ?? 'both',
        ...(input.partial === undefined ? {} : { partial: input.partial }),
        ...(turn === undefined ? {} : { turn }),
        ...(input.platformId === undefined ? {} : { platformId: input.platformId }),
        ...(input.at === undefined ? {} : { at: input.at }),
        ...(input.author === undefined ? {} : { author: input.author }),
        ...(input.observed === undefined ? {} : { observed: input.observed }),
        ...(input.failed === undefined ? {} : { failed: input.failed }),
      },
    }
    const encoded = encodeMessage(event, index)
    if (input.usage) checkUsage(input.usage)
    const usage: UsageRecorded | null = input.usage
      ? {
          type: 'UsageRecorded',
          data: { key: id, ...input.usage, ...(input.at === undefined ? {} : { at: input.at }) },
        }
      : null
    return { event, encoded, isPlatformsOwn, usage }
  })
}

/** Throws `event-malformed`, naming message and field, before anything else happens. */
function encodeMessage(event: MessageAppended, index: number): EncodedEvent {
  try {
    return encodeEvent(event)
  } catch (problem) {
    if (!isRefoldError(problem, 'event-malformed')) throw problem
    const { type, problem: field } = problem.fields
    throw new RefoldError('event-malformed', { type, problem: `messages.${index}.${field}` }, { cause: problem })
  }
}

/**
 * What makes two appends of one id the same: role, parts and platform id. The codec writes fields in one order, so that what
 * comes back from it can be compared as text.
 */
export function contentOf({ role, parts, platformId }: MessageAppended['data']): string {
  return JSON.stringify([role, parts, platformId ?? null])
}

/** The same of a message on its way in, in the codec's form. */
export function contentOfEncoded({ payload }: EncodedEvent): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a payload that encodeEvent has just written
  return contentOf(JSON.parse(payload) as MessageAppended['data'])
}

function partsOf(input: MessageInput): readonly PartInput[] {
  if (input.parts) return input.parts
  const parts: Part[] = []
  if (input.reasoning !== undefined) parts.push({ type: 'reasoning', text: input.reasoning })
  if (input.toolCallId !== undefined) {
    parts.push({
      type: 'tool-result',
      toolCallId: input.toolCallId,
      text: input.text ?? '',
      ...(input.toolName === undefined ? {} : { name: input.toolName }),
      ...(input.isError === undefined ? {} : { isError: input.isError }),
    })
  } else if (input.text !== undefined) parts.push({ type: 'text', text: input.text })
  for (const call of input.toolCalls ?? []) parts.push({ type: 'tool-call', ...call })
  return parts
}

function provenanceOf(role: string): Provenance {
  switch (role) {
    case 'user':
      return 'person'
    case 'assistant':
      return 'model'
    case 'tool':
      return 'tool'
    default:
      return 'engine'
  }
}
