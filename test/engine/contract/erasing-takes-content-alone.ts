import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { EventStore, LogTransaction } from '@refold/events'
import { recomputedChain } from './chain-is-right.ts'
import { freshStream, saying, several, to, wordsOf } from './made-events.ts'

export function erasingTakesContentAlone(store: () => EventStore): void {
  const transact = async <T>(work: (log: LogTransaction) => T): Promise<T> => {
    const opened = store()
    if (opened.transact === undefined) throw new Error('a store that erases has transactions')
    return opened.transact(work)
  }

  describe('erasing', () => {
    test('an erased event keeps its envelope and its place in the chain, and says nothing more', async (context) => {
      context.skip(!store().capabilities.erase, 'this store cannot erase')
      const stream = freshStream()
      await store().append(to(stream, 'no-stream', saying('kept'), saying('secret'), saying('kept too')))
      const before = await store().readRaw(stream, { limit: 10 })
      const said = await store().readStream(stream, { limit: 10 })
      expect(await transact((log) => log.erase({ stream, revision: 1 }, null))).toBe(true)
      const events = await store().readStream(stream, { limit: 10 })
      expect(events[1]).toEqual({ ...said[1], data: null, erased: true })
      const after = await store().readRaw(stream, { limit: 10 })
      expect(after[1]).toMatchObject({ payload: null, salt: null })
      expect(after[1]?.digest).toMatch(/^[0-9a-f]{64}$/)
      expect(after.map(({ hash }) => hash)).toEqual(recomputedChain(after))
      expect([after[0], after[2]]).toEqual([before[0], before[2]])
    })

    test('a masked event says the masked words under a salt of their own', async (context) => {
      context.skip(!store().capabilities.erase, 'this store cannot erase')
      const stream = freshStream()
      await store().append(to(stream, 'no-stream', saying('my password is 1234')))
      const [before] = await store().readRaw(stream, { limit: 1 })
      const masked = saying('my password is ****').payload
      await transact((log) => log.erase({ stream, revision: 0 }, masked))
      expect(wordsOf(await store().readStream(stream, { limit: 1 }))).toEqual(['my password is ****'])
      const [after] = await store().readRaw(stream, { limit: 1 })
      expect(after).toMatchObject({ payload: masked, hash: before?.hash })
      expect(after?.salt).toMatch(/^[0-9a-f]{32}$/)
      expect(after?.salt).not.toBe(before?.salt)
      const first = createHash('sha256').update(`${before?.salt}${before?.payload}`).digest('hex')
      expect(after?.digest).toBe(first)
      await transact((log) => log.erase({ stream, revision: 0 }, null))
      expect(await store().readRaw(stream, { limit: 1 })).toMatchObject([{ payload: null, salt: null, digest: first }])
    })

    test('an erasure that is taken back leaves everything as it was', async (context) => {
      context.skip(!store().capabilities.erase, 'this store cannot erase')
      const stream = freshStream()
      const blob = { hash: 'cd'.repeat(32), bytes: new Uint8Array([7]) }
      await store().append({ ...to(stream, 'no-stream', ...several(2)), blobs: [blob] })
      const before = await store().readRaw(stream, { limit: 10 })
      const work = transact((log) => {
        log.erase({ stream, revision: 0 }, null)
        log.eraseBlob(blob.hash)
        throw new Error('changed its mind')
      })
      await expect(work).rejects.toThrow('changed its mind')
      expect(await store().readRaw(stream, { limit: 10 })).toEqual(before)
      expect([...((await store().blob(blob.hash)) ?? [])]).toEqual([7])
      expect(await transact((log) => log.eraseBlob(blob.hash))).toBe(true)
      expect(await store().blob(blob.hash)).toBeUndefined()
    })

    test('what is not there cannot be erased', async (context) => {
      context.skip(!store().capabilities.erase, 'this store cannot erase')
      const stream = freshStream()
      expect(await transact((log) => log.erase({ stream, revision: 0 }, null))).toBe(false)
      expect(await transact((log) => log.eraseBlob('0'.repeat(64)))).toBe(false)
    })
  })
}
