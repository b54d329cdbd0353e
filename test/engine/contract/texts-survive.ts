import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import type { EventStore } from '@refold/events'
import { freshStream, saying, to, wordsOf } from './made-events.ts'

const awkward: readonly (readonly [string, string])[] = [
  ['a lone high surrogate', 'before \uD83D after'],
  ['a lone low surrogate', '\uDE00'],
  ['a NUL in front', '\u0000rest'],
  ['a NUL in the middle', 'half\u0000half'],
  ['line and paragraph separators', 'a\u2028b\u2029c'],
  ['emoji made of several', '👩🏽‍🚀🏴‍☠️'],
  ['a byte order mark', '\uFEFFtext'],
  ['right-to-left marks', '\u202Eabc\u202C'],
  ['two forms of one letter', 'é é'],
  ['quotes and backslashes', '"\\\'`${}'],
  ['SQL', "'); DROP TABLE events; --"],
  ['no text at all', ''],
  ['a number in disguise', '007'],
]

export function textsSurvive(store: () => EventStore): void {
  describe('texts', () => {
    test.each(awkward)('%s comes back as it was', async (_, text) => {
      const stream = freshStream()
      const event = saying(text)
      await store().append(to(stream, 'no-stream', event))
      expect(wordsOf(await store().readStream(stream, { limit: 1 }))).toEqual([text])
      const [raw] = await store().readRaw(stream, { limit: 1 })
      expect(raw?.payload).toBe(event.payload)
    })

    property.prop([fc.string({ unit: 'binary', maxLength: 200 }), fc.array(fc.string({ unit: 'binary' }))], {
      numRuns: 50,
    })('whatever was said comes back as it was', async (text, more) => {
      const stream = freshStream()
      const surrogates = more.map((part) => `${part}\uD800`).join('\uDFFF')
      await store().append(to(stream, 'no-stream', saying(text), saying(surrogates)))
      expect(wordsOf(await store().readStream(stream, { limit: 2 }))).toEqual([text, surrogates])
    })

    test('a payload keeps its very bytes, spaces and order of fields too', async () => {
      const stream = freshStream()
      const payload = '{ "z": 1.0,  "a": 1e3, "shownTo":"none","kind":"k" , "note": "\\u00e9" }'
      await store().append(to(stream, 'no-stream', saying('', { payload })))
      const [raw] = await store().readRaw(stream, { limit: 1 })
      expect(raw?.payload).toBe(payload)
    })

    test('a payload of eight million bytes comes back as it was', async () => {
      const stream = freshStream()
      const text = 'ein langes Wort – '.repeat(400_000)
      await store().append(to(stream, 'no-stream', saying(text)))
      expect(wordsOf(await store().readStream(stream, { limit: 1 }))).toEqual([text])
    })

    test('an event of an unknown type is kept and comes back as unknown', async () => {
      const stream = freshStream()
      const foreign = saying('', { type: 'FromElsewhere', version: 7, payload: '{"what":[1,2]}' })
      await store().append(to(stream, 'no-stream', foreign))
      const [event] = await store().readStream(stream, { limit: 1 })
      expect(event).toMatchObject({ type: 'FromElsewhere', version: 7, data: { what: [1, 2] }, unknown: true })
    })

    test('stream names and actors of any well-formed text come back as they were', async () => {
      const stream = `${freshStream()} – ünïcode 🧵 \u0000 end`
      const actor = { kind: 'agent', id: 'ä\u0000\uD800', session: 'parent', surface: 'telegram' } as const
      await store().append(to(stream, 'no-stream', saying('x', { actor, recordedAt: -5 })))
      const [event] = await store().readStream(stream, { limit: 1 })
      expect(event).toMatchObject({ stream, actor, recordedAt: -5 })
    })
  })
}
