import { describe, expect, test } from 'vitest'
import type { Append, EventStore } from '@refold/events'
import { freshStream, saying, several, to } from './made-events.ts'

export function malformedAppendsAreRefused(store: () => EventStore): void {
  const malformed: readonly [string, (stream: string) => Append][] = [
    ['an event id that is no 32 hex digits', (stream) => to(stream, 'any', saying('x', { id: 'short' }))],
    ['an event id in capitals', (stream) => to(stream, 'any', saying('x', { id: 'A'.repeat(32) }))],
    ['a negative revision', (stream) => to(stream, -1, saying('x'))],
    ['half a revision', (stream) => to(stream, 0.5, saying('x'))],
    ['a time that is no number', (stream) => to(stream, 'any', saying('x', { recordedAt: Number.NaN }))],
    ['a time between two milliseconds', (stream) => to(stream, 'any', saying('x', { recordedAt: 1.5 }))],
    ['a version below 1', (stream) => to(stream, 'any', saying('x', { version: 0 }))],
    ['no type', (stream) => to(stream, 'any', saying('x', { type: '' }))],
    ['an actor without an id', (stream) => to(stream, 'any', saying('x', { actor: { kind: 'person', id: '' } }))],
    ['a payload that is no well-formed text', (stream) => to(stream, 'any', saying('x', { payload: '"\uD800"' }))],
    ['a correlation id that is none', (stream) => to(stream, 'any', saying('x', { correlationId: '\uDC00' }))],
    ['a salt that is no 32 hex digits', (stream) => to(stream, 'any', saying('x', { salt: 'salt' }))],
    [
      'a blob hash that is none',
      (stream) => ({ ...to(stream, 'any', saying('x')), blobs: [{ hash: 'h', bytes: new Uint8Array(1) }] }),
    ],
    [
      'one stream named twice',
      (stream) => ({ streams: [...to(stream, 'any', saying('x')).streams, ...to(stream, 'any', saying('y')).streams] }),
    ],
  ]

  describe('malformed appends', () => {
    test.each(malformed)('%s is refused before anything is written', async (_, append) => {
      const stream = freshStream()
      await expect(store().append(append(stream))).rejects.toMatchObject({ code: 'append-malformed' })
      expect(await store().head(stream)).toBeUndefined()
    })

    test('a stream without a name, and one whose name is no well-formed text, are refused', async () => {
      await expect(store().append(to('', 'any', saying('x')))).rejects.toMatchObject({ code: 'append-malformed' })
      await expect(store().append(to('a\uD800', 'any', saying('x')))).rejects.toMatchObject({
        code: 'append-malformed',
      })
    })

    test('a payload that is no JSON leaves nothing of its append behind', async () => {
      const stream = freshStream()
      const append = to(stream, 'no-stream', ...several(2), saying('x', { payload: '{"half":' }))
      await expect(store().append(append)).rejects.toMatchObject({ code: 'append-malformed' })
      expect(await store().head(stream)).toBeUndefined()
    })
  })
}
