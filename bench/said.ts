import { encodeEvent, messageEventId, type NewEvent } from '@refold/events'
import { systemSource } from '@refold/engine'
import { words } from './words.ts'

const actor = { kind: 'agent', id: 'bench' } as const

/** A message of this many bytes on its way into a stream. */
export function said(stream: string, message: string, bytes: number, random: () => number): NewEvent {
  const isAnswer = random() < 0.5
  const encoded = encodeEvent({
    type: 'MessageAppended',
    data: {
      id: message,
      role: isAnswer ? 'assistant' : 'user',
      parts: [{ type: 'text', text: words(bytes, random) }],
      provenance: isAnswer ? 'model' : 'person',
      shownTo: 'both',
    },
  })
  return { ...encoded, id: messageEventId(systemSource.sha256, stream, message), recordedAt: 1_700_000_000_000, actor }
}
