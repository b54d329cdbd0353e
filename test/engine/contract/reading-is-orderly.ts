import { fc, test as property } from '@fast-check/vitest'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AnyRecorded, EventStore } from '@refold/events'
import { freshEventId, freshStream, saying, several, taken, to } from './made-events.ts'

const LENGTH = 37
/** The edges, and some between. */
const RUNS = { numRuns: 12, examples: [[1], [LENGTH], [LENGTH + 1]] } satisfies fc.Parameters<[number]>

export function readingIsOrderly(store: () => EventStore): void {
  describe('reading', () => {
    const stream = freshStream()
    let written: readonly AnyRecorded[] = []
    let before = 0
    let otherwise: readonly AnyRecorded[] = []
    beforeAll(async () => {
      before = (await store().logHead()).position
      const events: AnyRecorded[] = []
      const others: AnyRecorded[] = []
      for (const event of several(LENGTH)) {
        events.push(...taken(await store().append(to(stream, 'any', event))))
        others.push(...taken(await store().append(to(freshStream(), 'no-stream', saying('between')))))
      }
      written = events
      otherwise = others
    })

    const pageSizes = fc.integer({ min: 1, max: LENGTH + 3 })

    property.prop([pageSizes], RUNS)('pages of a stream, put together, are the stream, forwards', async (limit) => {
      const read: AnyRecorded[] = []
      for (let from = 0; ; from = read.length) {
        const page = await store().readStream(stream, { from, limit })
        read.push(...page)
        if (page.length < limit) break
      }
      expect(read).toEqual(written)
    })

    property.prop([pageSizes], RUNS)('pages of a stream, put together, are the stream, backwards', async (limit) => {
      const read: AnyRecorded[] = []
      for (let page = await store().readStream(stream, { limit, backwards: true }); ;) {
        read.push(...page)
        const last = page.at(-1)
        if (page.length < limit || last === undefined || last.revision === 0) break
        page = await store().readStream(stream, { from: last.revision - 1, limit, backwards: true })
      }
      expect(read).toEqual(written.toReversed())
    })

    property.prop([pageSizes], RUNS)('pages of the log, put together, are the log, both ways', async (limit) => {
      const forwards: AnyRecorded[] = []
      for (let after = before; ;) {
        const page = await store().readAll({ after, limit })
        forwards.push(...page)
        if (page.length < limit) break
        after = page.at(-1)?.position ?? after
      }
      const backwards: AnyRecorded[] = []
      for (let after = (forwards.at(-1)?.position ?? 0) + 1; ;) {
        const page = await store().readAll({ after, limit, backwards: true })
        backwards.push(...page.filter(({ position }) => position > before))
        if (page.length < limit || (page.at(-1)?.position ?? 0) <= before) break
        after = page.at(-1)?.position ?? 0
      }
      expect(backwards).toEqual(forwards.toReversed())
      const own = new Set([...written, ...otherwise].map(({ id }) => id))
      const expected = written.flatMap((event, index) => [event, otherwise[index]])
      expect(forwards.filter(({ id }) => own.has(id))).toEqual(expected)
    })

    test('positions rise in the order of the appends', () => {
      const positions = written.map(({ position }) => position)
      expect(positions).toEqual(positions.toSorted((a, b) => a - b))
      expect(new Set(positions).size).toBe(LENGTH)
    })

    test('the head of the log is its last event, and the log keeps its name', async () => {
      const [last] = await store().readAll({ limit: 1, backwards: true })
      const head = await store().logHead()
      expect(head).toEqual({ logId: head.logId, position: last?.position, hash: last?.hash })
      expect(head.logId).not.toBe('')
      expect((await store().logHead()).logId).toBe(head.logId)
    })

    test('a page beyond the end, or of a stream that is not there, is empty', async () => {
      expect(await store().readStream(stream, { from: LENGTH, limit: 5 })).toEqual([])
      expect(await store().readStream(freshStream(), { limit: 5 })).toEqual([])
      expect(await store().readStream(freshStream(), { limit: 5, backwards: true })).toEqual([])
      expect(await store().readStream(stream, { from: LENGTH + 100, limit: 1, backwards: true })).toEqual([
        written.at(-1),
      ])
    })

    test('a limit below one gives nothing, one above all there is gives all', async () => {
      expect(await store().readStream(stream, { limit: 0 })).toEqual([])
      expect(await store().readStream(stream, { limit: -1 })).toEqual([])
      expect(await store().readStream(stream, { limit: Number.POSITIVE_INFINITY })).toEqual(written)
    })

    test('single events are read by their places, in the order asked for', async () => {
      const refs = [5, 0, LENGTH, 5].map((revision) => ({ stream, revision }))
      const read = await store().readEvents([...refs, { stream: freshStream(), revision: 0 }])
      expect(read).toEqual([written[5], written[0], undefined, written[5], undefined])
    })

    test('an event is found by its id within its stream', async () => {
      expect(await store().find(stream, written[7]?.id ?? '')).toEqual(written[7])
      expect(await store().find(stream, freshEventId())).toBeUndefined()
      expect(await store().find(freshStream(), written[7]?.id ?? '')).toBeUndefined()
    })

    test('the store has a secret of its own', () => {
      expect(store().secret.length).toBeGreaterThanOrEqual(32)
    })
  })
}
