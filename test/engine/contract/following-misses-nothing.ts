import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import type { AnyRecorded, EventStore, Subscription } from '@refold/events'
import { freshStream, saying, several, taken, to, wordsOf } from './made-events.ts'

export function followingMissesNothing(store: () => EventStore): void {
  describe('following the log', () => {
    test('history comes first, then news, each event once and in order', async () => {
      const stream = freshStream()
      const { position } = await store().logHead()
      await store().append(to(stream, 'no-stream', ...several(5)))
      const subscription = store().subscribe({ after: position })
      const told = collect(subscription, stream, 10)
      await sleep(20)
      await store().append(to(stream, 4, ...several(5)))
      const events = await told
      expect(events).toEqual(await store().readStream(stream, { limit: 20 }))
    })

    test('while many append at once nothing is missed or told twice, to quick and slow readers alike', async () => {
      const streams = Array.from({ length: 8 }, freshStream)
      const { position } = await store().logHead()
      const each = 60
      const quick = store().subscribe({ after: position })
      const slow = store().subscribe({ after: position })
      const total = streams.length * each
      const ours = new Set(streams)
      const toQuick = collectFrom(quick, ours, total, async () => {})
      const toSlow = collectFrom(slow, ours, total, async (count) => {
        if (count % 40 === 0) await sleep(3)
      })
      await Promise.all(
        streams.map(async (stream) => {
          for (let sent = 0; sent < each; sent += 1) await store().append(to(stream, 'any', saying(`${sent}`)))
        }),
      )
      const late = store().subscribe({ after: position })
      const all = await collectFrom(late, ours, total, async () => {})
      expect(await toQuick).toEqual(all)
      expect(await toSlow).toEqual(all)
      expect(new Set(all.map(({ stream, revision }) => `${stream} ${revision}`)).size).toBe(total)
      const positions = all.map((event) => event.position)
      expect(positions).toEqual(positions.toSorted((a, b) => a - b))
    })

    test('a subscription begins behind the position it names', async () => {
      const stream = freshStream()
      const [first] = taken(await store().append(to(stream, 'no-stream', ...several(3))))
      const events = await collect(store().subscribe({ after: first?.position ?? 0 }), stream, 2)
      expect(wordsOf(events)).toEqual(['number 1', 'number 2'])
    })

    test('closing a subscription ends its iteration, while it waits and again later', async () => {
      const { position } = await store().logHead()
      const subscription = store().subscribe({ after: position })
      const ended = (async () => {
        for await (const _ of subscription) await sleep(0)
        return 'ended'
      })()
      await sleep(10)
      await subscription.close()
      await subscription.close()
      expect(await ended).toBe('ended')
    })

    test('leaving the loop closes the subscription', async () => {
      const stream = freshStream()
      const { position } = await store().logHead()
      await store().append(to(stream, 'no-stream', ...several(3)))
      const subscription = store().subscribe({ after: position })
      for await (const _ of subscription) break
      const left: AnyRecorded[] = []
      for await (const event of subscription) left.push(event)
      expect(left).toEqual([])
    })

    test('listeners hear of a commit until they stop listening', async () => {
      const stream = freshStream()
      let heard = 0
      const stop = store().onCommit(() => {
        heard += 1
      })
      await store().append(to(stream, 'no-stream', saying('a')))
      await vi.waitFor(() => expect(heard).toBeGreaterThan(0))
      stop()
      stop()
      const before = heard
      await store().append(to(stream, 0, saying('b')))
      await sleep(20)
      expect(heard).toBe(before)
    })

    test('a refused append is nothing to hear of', async (context) => {
      context.skip(store().capabilities.durability === 'server', 'others may write to this store meanwhile')
      let heard = 0
      const stop = store().onCommit(() => {
        heard += 1
      })
      await store().append(to(freshStream(), 'exists', saying('a')))
      await sleep(20)
      stop()
      expect(heard).toBe(0)
    })
  })
}

/** The next `count` events of one stream. */
function collect(subscription: Subscription, stream: string, count: number): Promise<AnyRecorded[]> {
  return collectFrom(subscription, new Set([stream]), count, async () => {})
}

async function collectFrom(
  subscription: Subscription,
  streams: ReadonlySet<string>,
  count: number,
  pause: (count: number) => Promise<void>,
): Promise<AnyRecorded[]> {
  const events: AnyRecorded[] = []
  for await (const event of subscription) {
    if (streams.has(event.stream)) events.push(event)
    await pause(events.length)
    if (events.length === count) break
  }
  return events
}
