import { describe, expect, test } from 'vitest'
import type { EventStore } from '@refold/events'
import { freshStream, saying, to } from './made-events.ts'

export function closingIsOrderly(open: () => Promise<EventStore>): void {
  describe('closing', () => {
    test('what was asked for before is done; what is asked for after is refused', async () => {
      const store = await open()
      const stream = freshStream()
      const pending = Promise.all([
        store.append(to(stream, 'no-stream', saying('a'))),
        store.append(to(stream, 0, saying('b'))),
      ])
      const closed = store.close()
      expect(await pending).toMatchObject([{ ok: true }, { ok: true }])
      await closed
      await store.close()
      const refused = { code: 'store-closed' }
      await expect(store.append(to(stream, 1, saying('c')))).rejects.toMatchObject(refused)
      await expect(store.readStream(stream, { limit: 1 })).rejects.toMatchObject(refused)
      await expect(store.logHead()).rejects.toMatchObject(refused)
      expect(() => store.subscribe({ after: 0 })).toThrow(expect.objectContaining(refused))
      expect(() => store.onCommit(() => {})).toThrow(expect.objectContaining(refused))
    })

    test('subscriptions end with their store', async () => {
      const store = await open()
      const subscription = store.subscribe({ after: (await store.logHead()).position })
      const ended = (async () => {
        let count = 0
        for await (const _ of subscription) count += 1
        return count
      })()
      await store.close()
      expect(await ended).toBe(0)
    })
  })
}
