import { describe, expect, test } from 'vitest'
import type { EventStore, ExpectedRevision } from '@refold/events'
import { freshStream, saying, several, taken, to, wordsOf } from './made-events.ts'

export function repeatsAreKnown(store: () => EventStore): void {
  describe('repeats', () => {
    test.each<ExpectedRevision>(['no-stream', 'any'])(
      'a first append sent twice, expected %s, is written once',
      async (expected) => {
        const stream = freshStream()
        const request = to(stream, expected, ...several(3))
        const first = await store().append(request)
        const again = await store().append(request)
        expect(again).toEqual({ ...first, repeated: true })
        expect(await store().head(stream)).toMatchObject({ revision: 2 })
      },
    )

    test.each<ExpectedRevision>([1, 'exists', 'any'])(
      'a later append sent again after others appended, expected %s, is answered with what it wrote',
      async (expected) => {
        const stream = freshStream()
        await store().append(to(stream, 'no-stream', ...several(2)))
        const request = to(stream, expected, saying('mine'), saying('mine too'))
        const first = await store().append(request)
        await store().append(to(stream, 3, saying('of another')))
        const again = await store().append(request)
        expect(again).toEqual({ ...first, repeated: true })
        expect(wordsOf(taken(again))).toEqual(['mine', 'mine too'])
        expect(await store().head(stream)).toMatchObject({ revision: 4 })
      },
    )

    test('a repeat says what was recorded, not what it says now', async () => {
      const stream = freshStream()
      const event = saying('as first said')
      await store().append(to(stream, 'no-stream', event))
      const again = await store().append(to(stream, 'no-stream', saying('as said later', { id: event.id })))
      expect(again).toMatchObject({ ok: true, repeated: true })
      expect(wordsOf(taken(again))).toEqual(['as first said'])
    })

    test('many senders of the same append are all answered, and it is written once', async () => {
      const stream = freshStream()
      const request = to(stream, 'no-stream', ...several(2))
      const answers = await Promise.all(Array.from({ length: 10 }, () => store().append(request)))
      expect(answers.filter((answer) => answer.ok && !answer.repeated)).toHaveLength(1)
      expect(answers.every(({ ok }) => ok)).toBe(true)
      expect(await store().head(stream)).toMatchObject({ revision: 1 })
    })

    test('known ids at another exact revision than theirs are no repeat', async () => {
      const stream = freshStream()
      const [first, second] = [saying('first'), saying('second')]
      await store().append(to(stream, 'no-stream', first, second, saying('third')))
      const answer = await store().append(to(stream, 0, first))
      expect(answer).toEqual({ ok: false, code: 'wrong-revision', stream, expected: 0, actual: 2 })
    })

    test('the same ids in another order are no repeat where a revision is named', async () => {
      const stream = freshStream()
      const [first, second] = [saying('first'), saying('second')]
      await store().append(to(stream, 'no-stream', first, second))
      expect(await store().append(to(stream, 'no-stream', second, first))).toMatchObject({ ok: false })
      expect(await store().head(stream)).toMatchObject({ revision: 1 })
    })

    test('an id that stands in the stream is refused at the current revision, however long ago it was', async (context) => {
      context.skip(!store().capabilities.uniqueEventIds, 'this store keeps ids unique for a while only')
      const stream = freshStream()
      const old = saying('old')
      await store().append(to(stream, 'no-stream', old, ...several(50)))
      const answer = await store().append(to(stream, 50, old))
      expect(answer).toEqual({ ok: false, code: 'duplicate-event-id', stream, eventId: old.id })
      expect(await store().head(stream)).toMatchObject({ revision: 50 })
    })

    test.each<ExpectedRevision>(['any', 'exists', 1])(
      'a partly known batch is refused, expected %s',
      async (expected) => {
        const stream = freshStream()
        const known = saying('known')
        await store().append(to(stream, 'no-stream', known, saying('other')))
        const answer = await store().append(to(stream, expected, known, saying('new')))
        expect(answer.ok).toBe(false)
        if (store().capabilities.uniqueEventIds) {
          expect(answer).toEqual({ ok: false, code: 'duplicate-event-id', stream, eventId: known.id })
        }
        expect(await store().head(stream)).toMatchObject({ revision: 1 })
      },
    )

    test('an append that repeats one stream and brings news to another is refused whole', async (context) => {
      context.skip(!store().capabilities.atomicOverStreams, 'this store appends to one stream at a time')
      const [one, two] = [freshStream(), freshStream()]
      const known = saying('known')
      await store().append(to(one, 'no-stream', known))
      const answer = await store().append({
        streams: [
          { stream: one, expected: 'no-stream', events: [known] },
          { stream: two, expected: 'no-stream', events: [saying('new')] },
        ],
      })
      expect(answer).toEqual({ ok: false, code: 'duplicate-event-id', stream: one, eventId: known.id })
      expect(await store().head(two)).toBeUndefined()
    })

    test('an append to several streams sent twice is one repeat, its guard notwithstanding', async (context) => {
      context.skip(!store().capabilities.atomicOverStreams, 'this store appends to one stream at a time')
      const [one, two, guard] = [freshStream(), freshStream(), freshStream()]
      const request = {
        streams: [
          { stream: one, expected: 'no-stream', events: several(2) },
          { stream: guard, expected: 'no-stream', events: [] },
          { stream: two, expected: 'any', events: several(1) },
        ],
      } as const
      const first = await store().append(request)
      await store().append(to(guard, 'no-stream', saying('came later')))
      expect(await store().append(request)).toEqual({ ...first, repeated: true })
    })

    test('an id given twice in one append is refused', async () => {
      const stream = freshStream()
      const event = saying('twice')
      const answer = await store().append(to(stream, 'no-stream', event, saying('between'), event))
      expect(answer).toEqual({ ok: false, code: 'duplicate-event-id', stream, eventId: event.id })
      expect(await store().head(stream)).toBeUndefined()
    })

    test('two streams may each have an event with the same id', async () => {
      const [one, two] = [freshStream(), freshStream()]
      const event = saying('in both')
      taken(await store().append(to(one, 'no-stream', event)))
      taken(await store().append(to(two, 'no-stream', event)))
      expect(await store().find(one, event.id)).toMatchObject({ stream: one })
      expect(await store().find(two, event.id)).toMatchObject({ stream: two })
    })
  })
}
