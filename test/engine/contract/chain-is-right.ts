import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { CHAIN_START, type EventStore, type RawEvent } from '@refold/events'
import { freshStream, saying, several, taken, to } from './made-events.ts'

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/** The chain as the documentation describes it, computed without Refold's own functions. */
export function recomputedHash(previous: string, event: RawEvent): string {
  const digest = event.digest ?? sha256(`${event.salt}${event.payload}`)
  const { stream, revision, id, type, version, recordedAt, actor, correlationId, causationId } = event
  const correlation = correlationId ?? null
  const causation = causationId ?? null
  return sha256(
    JSON.stringify([
      1,
      previous,
      stream,
      revision,
      id,
      type,
      version,
      recordedAt,
      actor.id,
      correlation,
      causation,
      digest,
    ]),
  )
}

/** Hashes of all events of a stream, recomputed from the first. */
export function recomputedChain(events: readonly RawEvent[]): string[] {
  let previous = CHAIN_START
  return events.map((event) => (previous = recomputedHash(previous, event)))
}

const revisions = (events: readonly RawEvent[]): number[] => events.map(({ revision }) => revision)

export function chainIsRight(store: () => EventStore): void {
  describe('the hash chain', () => {
    test('anyone can recompute it from what is stored', async () => {
      const stream = freshStream()
      await store().append(to(stream, 'no-stream', saying('plain'), saying('äöü ✓ 🧵', { correlationId: 'c' })))
      await store().append(to(stream, 1, saying('caused', { causationId: 'x' }), ...several(5)))
      const raw = await store().readRaw(stream, { limit: 100 })
      expect(raw).toHaveLength(8)
      expect(raw.map(({ hash }) => hash)).toEqual(recomputedChain(raw))
      const events = await store().readStream(stream, { limit: 100 })
      expect(events.map(({ hash }) => hash)).toEqual(raw.map(({ hash }) => hash))
    })

    test('the same words get another salt and another hash in each event', async () => {
      const stream = freshStream()
      await store().append(to(stream, 'no-stream', saying('same'), saying('same')))
      const [first, second] = await store().readRaw(stream, { limit: 2 })
      expect(first?.salt).toMatch(/^[0-9a-f]{32}$/)
      expect(first?.payload).toBe(second?.payload)
      expect(first?.salt).not.toBe(second?.salt)
    })

    test('events written again elsewhere with their salts keep their hashes', async () => {
      const stream = freshStream()
      const salt = 'ab'.repeat(16)
      const first = saying('carried along', { salt })
      const [event] = taken(await store().append(to(stream, 'no-stream', first)))
      const [raw] = await store().readRaw(stream, { limit: 1 })
      expect(raw).toMatchObject({ salt, payload: first.payload, digest: null, hash: event?.hash })
    })

    test('raw events page like events, both ways', async () => {
      const stream = freshStream()
      await store().append(to(stream, 'no-stream', ...several(5)))
      expect(revisions(await store().readRaw(stream, { from: 1, limit: 2 }))).toEqual([1, 2])
      expect(revisions(await store().readRaw(stream, { limit: 2, backwards: true }))).toEqual([4, 3])
      expect(await store().readRaw(freshStream(), { limit: 2 })).toEqual([])
    })
  })
}
