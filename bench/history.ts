import { encodeEvent, sessionStream, type EventStore, type NewEvent } from '@refold/events'
import { systemSource } from '@refold/engine'
import { said } from './said.ts'
import { seeded } from './words.ts'

/** The first event of a session. */
export function began(session: string): NewEvent {
  return {
    ...encodeEvent({ type: 'SessionStarted', data: { session, origin: { kind: 'root' }, workspace: '/work' } }),
    id: systemSource.sha256(`began ${session}`).slice(0, 32),
    recordedAt: 1_700_000_000_000,
    actor: { kind: 'agent', id: 'bench' },
  }
}

/** Fills a store with sessions of 1 KiB messages, spread evenly; returns the session streams. */
export async function fill(
  store: EventStore,
  { sessions, messages, seed }: { readonly sessions: number; readonly messages: number; readonly seed: number },
): Promise<readonly string[]> {
  const random = seeded(seed)
  const streams = Array.from({ length: sessions }, (_, n) => sessionStream({ namespace: 'default', session: `s${n}` }))
  for (let first = 0; first < sessions; first += 500)
    await store.append({
      streams: streams
        .slice(first, first + 500)
        .map((stream, n) => ({ stream, expected: 'no-stream', events: [began(`s${first + n}`)] })),
    })
  const each = Math.max(1, Math.min(100, Math.floor(messages / sessions)))
  for (let written = 0; written < messages;)
    for (const [n, stream] of streams.entries()) {
      if (written >= messages) break
      const events = Array.from({ length: each }, (_, m) => said(stream, `m${n}-${written + m}`, 1_024, random))
      await store.append({ streams: [{ stream, expected: 'any', events }] })
      written += each
    }
  return streams
}
