import { importHistory } from '@refold/interop'
import { describe, expect, test } from 'vitest'
import { answerOf, isThere, names, storePath } from './hermes/known-answers.ts'
import { source, withEngine } from './importing/engines.ts'
import { contextOf } from './importing/view-of.ts'

/** Where a clean context has another length than Hermes' live rows, and why. */
const others: Readonly<Record<string, number>> = {
  // Rotations that failed left each message several times; here it is sent once.
  '20260817_100814_9b3b0b': 44,
  '20260817_111832_fb3a1b': 16,
  '20260817_140000_9d9d9d9d': 10,
  // The newest segment has no rows: the last good context is that of the one before.
  '20260702_091102_d1bdb3': 12,
  // Four late messages that no summary saw stay live.
  '20260728_090000_e400e7': 21,
  // Strays without rows of their own go on where their origin was.
  '20260805_090414_8c9214': 15,
  '20260805_094602_87a7d9': 15,
  // A notice and the ask that was merged into its row are two.
  '20260730_090000_bff2de': 20,
  '20260730_092056_beb69a': 20,
  '20260730_110000_3c3c3c3c': 7,
  // An answer that broke off while it was thinking has nothing to be sent.
  api_1783587600_5e0c1d2f: 6,
}

type Sent = Awaited<ReturnType<typeof contextOf>>[number]

const saysSomething = ({ text, toolCalls, toolCallId, attachments }: Sent): boolean =>
  text !== '' || toolCalls !== undefined || toolCallId !== undefined || attachments !== undefined

describe.skipIf(!isThere).each(names)('the store %s', (name) => {
  test('gives the model what its newest segment sends: a summary once, and every message once', async () => {
    await withEngine('memory', async (engine) => {
      await importHistory(engine, storePath(name), { source })
      for (const { rootId, contextCount } of answerOf(name).conversations) {
        const context = (await contextOf(engine, rootId)).filter(saysSomething)
        expect([rootId, context.length]).toEqual([rootId, others[rootId] ?? contextCount])
        expect(context.filter(({ repair }) => repair === true)).toEqual([])
        const summaries = context.filter(({ text }) => typeof text === 'string' && text.includes('[CONTEXT COMPACTION'))
        expect(summaries.length).toBeLessThan(2)
        const ids = context.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
      }
    })
  })
})
