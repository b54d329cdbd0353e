import { commandEventId, messageEventId, sessionStream } from '@refold/events'
import type { ImportedSession, MessageInput } from '@refold/engine'
import { sha256 } from '../support/sha256.ts'

/** A conversation as an importer writes it, so that many are made in one append; `minute` is when it took place. */
export function importedSession(session: string, messages: readonly MessageInput[], minute: number): ImportedSession {
  const stream = sessionStream({ namespace: 'default', session })
  const at = 1_700_000_000_000 + minute * 60_000
  return {
    session,
    facts: [
      {
        id: commandEventId(sha256, stream, 'start', 0),
        event: { type: 'SessionStarted', data: { session, origin: { kind: 'root' }, at } },
      },
      ...messages.map(({ id = '', role, text = '' }, index) => ({
        id: messageEventId(sha256, stream, id),
        event: {
          type: 'MessageAppended',
          data: {
            id,
            role,
            parts: [{ type: 'text', text }],
            provenance: role === 'user' ? 'person' : 'model',
            shownTo: 'both',
            at: at + index,
          },
        } as const,
      })),
    ],
  }
}
