import { describe, expect, test } from 'vitest'
import type { EventStore, RawEvent } from '@refold/events'
import { freshStream, saying, several, to } from './made-events.ts'

/** Events that another log recorded go in as they were, or not at all. */
export function recordedElsewhere(store: () => EventStore): void {
  const append = async (events: readonly RawEvent[]) => {
    const opened = store()
    if (opened.transact === undefined) throw new Error('only a store with transactions takes such events')
    return opened.transact((log) => log.appendRecorded({ events }))
  }
  /** Three events, as another stream of the same log has them: their hashes hold only under its own name. */
  const recorded = async (): Promise<readonly RawEvent[]> => {
    const stream = freshStream()
    await store().append(to(stream, 'no-stream', saying('one'), saying('two'), saying('three')))
    return store().readRaw(stream, { limit: 10 })
  }

  describe('events recorded elsewhere', () => {
    test.each([
      ['that are there already', (events: readonly RawEvent[]) => events],
      ['that do not follow the last one', (events: readonly RawEvent[]) => events.slice(1)],
      [
        'whose hash does not fit',
        (events: readonly RawEvent[]) => events.map((event) => ({ ...event, stream: freshStream() })).slice(0, 1),
      ],
      [
        'that have lost what they said without a digest of it',
        (events: readonly RawEvent[]) =>
          events.slice(0, 1).map((event) => ({ ...event, stream: freshStream(), salt: null })),
      ],
    ])('%s are refused, and nothing is written', async (_, bent) => {
      if (!store().capabilities.transactions) return
      const events = await recorded()
      const head = await store().logHead()
      await expect(append(bent(events))).rejects.toMatchObject({ code: 'append-malformed' })
      expect(await store().logHead()).toEqual(head)
    })

    test('the log is read in its order as it is kept, both ways', async () => {
      const opened = store()
      if (!opened.readLogRaw) return
      const [one, other] = [freshStream(), freshStream()]
      const { position } = await opened.logHead()
      await opened.append(to(one, 'no-stream', ...several(2)))
      await opened.append(to(other, 'no-stream', saying('between')))
      await opened.append(to(one, 1, saying('after')))
      const raw = await opened.readLogRaw({ after: position, limit: 10 })
      expect(raw.map(({ stream, revision }) => [stream, revision])).toEqual([
        [one, 0],
        [one, 1],
        [other, 0],
        [one, 2],
      ])
      expect(raw.filter(({ stream }) => stream === one)).toEqual(await opened.readRaw(one, { limit: 10 }))
      expect(await opened.readLogRaw({ limit: 2, backwards: true })).toEqual(raw.slice(2).reverse())
      expect(await opened.readLogRaw({ after: raw[1]?.position ?? 0, limit: 1 })).toEqual(raw.slice(2, 3))
    })
  })
}
