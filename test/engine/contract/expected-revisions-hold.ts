import { describe, expect, test } from 'vitest'
import type { EventStore, ExpectedRevision } from '@refold/events'
import { freshStream, saying, several, taken, to, wordsOf } from './made-events.ts'

export function expectedRevisionsHold(store: () => EventStore): void {
  describe('expected revisions', () => {
    const onEmpty: readonly [ExpectedRevision, boolean][] = [
      ['no-stream', true],
      ['any', true],
      ['exists', false],
      [0, false],
      [3, false],
    ]
    test.each(onEmpty)('a stream that is not there, expected %s: taken is %s', async (expected, isTaken) => {
      const stream = freshStream()
      const answer = await store().append(to(stream, expected, saying('first')))
      expect(answer.ok).toBe(isTaken)
      if (!answer.ok) expect(answer).toEqual({ ok: false, code: 'wrong-revision', stream, expected, actual: -1 })
      expect(await store().readStream(stream, { limit: 10 })).toHaveLength(isTaken ? 1 : 0)
    })

    const onThree: readonly [ExpectedRevision, boolean][] = [
      ['no-stream', false],
      ['any', true],
      ['exists', true],
      [0, false],
      [1, false],
      [2, true],
      [3, false],
    ]
    test.each(onThree)('a stream of three events, expected %s: taken is %s', async (expected, isTaken) => {
      const stream = freshStream()
      await store().append(to(stream, 'no-stream', ...several(3)))
      const answer = await store().append(to(stream, expected, saying('fourth')))
      expect(answer.ok).toBe(isTaken)
      if (!answer.ok) expect(answer).toEqual({ ok: false, code: 'wrong-revision', stream, expected, actual: 2 })
      expect(await store().readStream(stream, { limit: 10 })).toHaveLength(isTaken ? 4 : 3)
    })

    test('what was taken comes back with its place, its envelope and how durable it is', async () => {
      const stream = freshStream()
      const said = saying('hello', { correlationId: 'the talk', causationId: 'the cause' })
      const answer = await store().append(to(stream, 'no-stream', said, saying('again')))
      expect(answer).toMatchObject({ ok: true, repeated: false, durability: store().capabilities.durability })
      const [first, second] = taken(answer)
      expect(first).toMatchObject({
        id: said.id,
        stream,
        revision: 0,
        type: 'Noted',
        version: 1,
        recordedAt: 1_700_000_000_000,
        actor: { kind: 'person', id: 'ada' },
        correlationId: 'the talk',
        causationId: 'the cause',
        data: { note: 'n', kind: 'suite', shownTo: 'none', text: 'hello' },
      })
      expect(second).toMatchObject({ stream, revision: 1 })
      expect(second).not.toHaveProperty('correlationId')
      expect(await store().readStream(stream, { limit: 10 })).toEqual([first, second])
    })

    test('the head of a stream is its last event, and none where there is no stream', async () => {
      const stream = freshStream()
      expect(await store().head(stream)).toBeUndefined()
      const events = taken(await store().append(to(stream, 'no-stream', ...several(4))))
      expect(await store().head(stream)).toEqual({ revision: 3, hash: events[3]?.hash })
    })

    test('an append without events only checks what it expects', async () => {
      const stream = freshStream()
      expect(await store().append(to(stream, 'exists'))).toMatchObject({ ok: false, code: 'wrong-revision' })
      expect(await store().append(to(stream, 'no-stream'))).toMatchObject({ ok: true, events: [], repeated: false })
      expect(await store().head(stream)).toBeUndefined()
    })

    test('of many writers that expect the same revision one wins', async () => {
      const stream = freshStream()
      await store().append(to(stream, 'no-stream', saying('start')))
      const answers = await Promise.all(several(20).map((event) => store().append(to(stream, 0, event))))
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
      expect(await store().head(stream)).toMatchObject({ revision: 1 })
    })

    test('of several streams all are written or none', async (context) => {
      context.skip(!store().capabilities.atomicOverStreams, 'this store appends to one stream at a time')
      const [one, two, three] = [freshStream(), freshStream(), freshStream()]
      await store().append(to(two, 'no-stream', saying('there before')))
      const refused = await store().append({
        streams: [
          { stream: one, expected: 'no-stream', events: [saying('a')] },
          { stream: two, expected: 'no-stream', events: [saying('b')] },
          { stream: three, expected: 'no-stream', events: [saying('c')] },
        ],
      })
      expect(refused).toEqual({ ok: false, code: 'wrong-revision', stream: two, expected: 'no-stream', actual: 0 })
      expect(await store().head(one)).toBeUndefined()
      expect(await store().head(three)).toBeUndefined()
      const accepted = await store().append({
        streams: [
          { stream: one, expected: 'no-stream', events: [saying('a'), saying('b')] },
          { stream: two, expected: 0, events: [] },
          { stream: three, expected: 'any', events: [saying('c')] },
        ],
      })
      expect(wordsOf(taken(accepted))).toEqual(['a', 'b', 'c'])
    })

    test('a guard without events refuses the whole append', async (context) => {
      context.skip(!store().capabilities.atomicOverStreams, 'this store appends to one stream at a time')
      const [guard, stream] = [freshStream(), freshStream()]
      const answer = await store().append({
        streams: [
          { stream, expected: 'no-stream', events: [saying('a')] },
          { stream: guard, expected: 'exists', events: [] },
        ],
      })
      expect(answer).toMatchObject({ ok: false, stream: guard })
      expect(await store().head(stream)).toBeUndefined()
    })
  })
}
