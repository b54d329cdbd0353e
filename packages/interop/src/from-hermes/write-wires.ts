import type { HermesConversation } from '../hermes/conversation.ts'
import type { HermesMessage } from '../hermes/message.ts'
import type { LoggedMessage } from '../importing/imported-log.ts'
import type { SessionWriter } from '../importing/session-writer.ts'
import { printOf } from '../importing/text-print.ts'
import { partsOf, type PartsAndBlobs } from './message-parts.ts'

const slotOf = (message: string): string => `wire ${message}`

/** The forms in which the model is sent messages now, where they differ from what a person reads. */
export async function writeWires(
  writer: SessionWriter,
  { inherited, items }: HermesConversation,
  idOf: (key: string) => string,
): Promise<void> {
  const { sha256, tally } = writer.place
  const wanted = new Set<string>()
  for (const item of [...inherited, ...items]) {
    if (item.kind !== 'message' || item.undone) continue
    const id = idOf(item.key)
    const form = formOf(writer, item, writer.log.messages.get(id)) ?? uncarried(writer, item, id)
    if (form === null) continue
    wanted.add(slotOf(id))
    const event = { type: 'WireFormSet', data: { message: id, parts: form.parts, why: form.why } } as const
    if (!(await writer.follow(slotOf(id), printOf(sha256, form.parts), event)))
      tally.warn('changed-here', `messages/${item.key}.wire`, 'the form here')
  }
  for (const slot of writer.log.slotNames('wire '))
    if (!wanted.has(slot) && writer.isFollowed(slot))
      await writer.follow(slot, '', {
        type: 'WireFormSet',
        data: { message: slot.slice('wire '.length), parts: null, why: 'as it reads' },
      })
}

/** A later copy of a carrier's message stands without the summary, which then is sent apart. */
function uncarried({ log, place }: SessionWriter, message: HermesMessage, id: string): Form | null {
  const isCarrier = log.carrier === id && message.wire?.why !== 'carrier'
  return isCarrier ? { ...partsOf(place.sha256, message), why: 'as it reads' } : null
}

interface Form extends PartsAndBlobs {
  readonly why: string
}

/**
 * A task list glued to an ask and neighbours that were joined are no forms: each message stands once. What a row says in
 * fewer words than an earlier import found there was pruned in its place.
 */
function formOf(writer: SessionWriter, message: HermesMessage, logged: LoggedMessage | undefined): Form | null {
  const { sha256 } = writer.place
  const { wire } = message
  if (wire === null) {
    const now = partsOf(sha256, message)
    const isShorter = logged !== undefined && size(logged.parts) > size(now.parts)
    return isShorter && printOf(sha256, logged.parts) !== printOf(sha256, now.parts) ? { ...now, why: 'short' } : null
  }
  const { text, parts, toolCalls, why } = wire
  switch (why) {
    case 'short':
    case 'api':
    case 'other':
      return { ...partsOf(sha256, { ...message, text, parts, toolCalls }), why }
    case 'carrier':
    case 'merged':
    case 'longer':
      return null
    default:
      return why satisfies never
  }
}

function size(parts: LoggedMessage['parts']): number {
  let bytes = 0
  for (const part of parts) {
    const text =
      part.type === 'tool-call'
        ? (part.argumentsText ?? JSON.stringify(part.arguments))
        : 'text' in part
          ? part.text
          : ''
    bytes += typeof text === 'string' ? Buffer.byteLength(text) : text.bytes
  }
  return bytes
}
