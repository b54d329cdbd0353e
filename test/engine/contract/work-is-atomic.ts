import { describe, expect, test } from 'vitest'
import type { EventStore, LogTransaction } from '@refold/events'
import { freshStream, saying, several, taken, to, wordsOf } from './made-events.ts'

type Transact = NonNullable<EventStore['transact']>

export function workIsAtomic(store: () => EventStore): void {
  const transact: Transact = async (work) => {
    const opened = store()
    if (opened.transact === undefined) throw new Error('this store has no transactions')
    return opened.transact(work)
  }

  describe('work in a transaction', () => {
    test('a store has transact exactly if it says so', () => {
      expect(store().transact !== undefined).toBe(store().capabilities.transactions)
    })

    test('work reads what it wrote, and answers its caller once it is written', async (context) => {
      context.skip(!store().capabilities.transactions, 'this store has no transactions')
      const stream = freshStream()
      const seen = await transact((log) => {
        expect(log.head(stream)).toBeUndefined()
        const [first] = taken(log.append(to(stream, 'no-stream', saying('one'), saying('two'))))
        log.append(to(stream, 1, saying('three')))
        return {
          head: log.head(stream)?.revision,
          words: wordsOf(log.read(stream, { limit: 10 })),
          backwards: wordsOf(log.read(stream, { limit: 2, backwards: true })),
          found: log.find(stream, first?.id ?? '')?.revision,
        }
      })
      expect(seen).toEqual({ head: 2, words: ['one', 'two', 'three'], backwards: ['three', 'two'], found: 0 })
      expect(wordsOf(await store().readStream(stream, { limit: 10 }))).toEqual(['one', 'two', 'three'])
    })

    test('work that throws leaves nothing, rejects its own caller and nobody else', async (context) => {
      context.skip(!store().capabilities.transactions, 'this store has no transactions')
      const [lost, before, after] = [freshStream(), freshStream(), freshStream()]
      const blob = { hash: 'ab'.repeat(32), bytes: new Uint8Array([1, 2, 3]) }
      const outcomes = await Promise.allSettled([
        transact((log) => log.append(to(before, 'no-stream', saying('before')))),
        transact((log) => {
          log.append({ ...to(lost, 'no-stream', ...several(3)), blobs: [blob] })
          log.append(to(before, 0, saying('never')))
          throw new Error('changed its mind')
        }),
        transact((log) => log.append(to(after, 'no-stream', saying('after')))),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(outcomes[1]).toMatchObject({ reason: new Error('changed its mind') })
      expect(await store().head(lost)).toBeUndefined()
      expect(await store().blob(blob.hash)).toBeUndefined()
      expect(wordsOf(await store().readStream(before, { limit: 10 }))).toEqual(['before'])
      expect(wordsOf(await store().readStream(after, { limit: 10 }))).toEqual(['after'])
      expect(await store().append(to(lost, 'no-stream', saying('free again')))).toMatchObject({ ok: true })
    })

    test('work sees what was written before it, so many that each add one lose none', async (context) => {
      context.skip(!store().capabilities.transactions, 'this store has no transactions')
      const stream = freshStream()
      await store().append(to(stream, 'no-stream', saying('start')))
      const addOne = (log: LogTransaction): boolean => {
        const head = log.head(stream)
        return log.append(to(stream, head?.revision ?? 'no-stream', saying('one more'))).ok
      }
      const answers = await Promise.all(Array.from({ length: 50 }, () => transact(addOne)))
      expect(answers).not.toContain(false)
      expect(await store().head(stream)).toMatchObject({ revision: 50 })
    })

    test('a refusal within work is an answer, and the rest of the work stands', async (context) => {
      context.skip(!store().capabilities.transactions, 'this store has no transactions')
      const [one, two] = [freshStream(), freshStream()]
      const refused = await transact((log) => {
        log.append(to(one, 'no-stream', saying('a')))
        const answer = log.append(to(two, 'exists', saying('b')))
        log.append(to(one, 0, saying('c')))
        return answer
      })
      expect(refused).toMatchObject({ ok: false, code: 'wrong-revision', stream: two })
      expect(wordsOf(await store().readStream(one, { limit: 10 }))).toEqual(['a', 'c'])
    })

    test('whoever reads beside the work sees nothing of it before it is over', async (context) => {
      context.skip(!store().capabilities.transactions, 'this store has no transactions')
      const stream = freshStream()
      let beside: Promise<unknown> = Promise.resolve()
      const work = transact((log) => {
        log.append(to(stream, 'no-stream', saying('never')))
        beside = store().readStream(stream, { limit: 10 })
        throw new Error('changed its mind')
      })
      await expect(work).rejects.toThrow('changed its mind')
      expect(await beside).toEqual([])
    })

    test('an append asked for within work is done after it', async (context) => {
      context.skip(!store().capabilities.transactions, 'this store has no transactions')
      const [within, beside] = [freshStream(), freshStream()]
      let appended: Promise<unknown> = Promise.resolve()
      const work = transact((log) => {
        log.append(to(within, 'no-stream', saying('never')))
        appended = store().append(to(beside, 'no-stream', saying('kept')))
        throw new Error('changed its mind')
      })
      await expect(work).rejects.toThrow('changed its mind')
      expect(await appended).toMatchObject({ ok: true })
      expect(await store().head(within)).toBeUndefined()
      expect(await store().head(beside)).toMatchObject({ revision: 0 })
    })

    test('work that returns a promise is refused, and nothing of it stays', async (context) => {
      context.skip(!store().capabilities.transactions, 'this store has no transactions')
      const stream = freshStream()
      const work = transact(async (log) => log.append(to(stream, 'no-stream', saying('never'))))
      await expect(work).rejects.toThrow(TypeError)
      expect(await store().head(stream)).toBeUndefined()
    })

    test('the log of a transaction is of no use once that is over', async (context) => {
      context.skip(!store().capabilities.transactions, 'this store has no transactions')
      const stream = freshStream()
      const log = await transact((log) => ({ log }))
      expect(() => log.log.append(to(stream, 'no-stream', saying('never')))).toThrow(TypeError)
      expect(await store().head(stream)).toBeUndefined()
    })
  })
}
