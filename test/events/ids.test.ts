import { fc, test } from '@fast-check/vitest'
import {
  claimStreamFor,
  commandEventId,
  importedEventId,
  isIdentifier,
  messageEventId,
  parseSessionStream,
  partialEventId,
  platformMessageId,
  sessionStream,
} from '@refold/events'
import { describe, expect } from 'vitest'
import { sha256 } from '../support/sha256.ts'

const ids = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }).filter(isIdentifier)

describe('streams (seams 4.1)', () => {
  test.prop([ids, ids])(
    'a session stream gives back the namespace and id that it was made from',
    (namespace, session) => {
      expect(parseSessionStream(sessionStream({ namespace, session }))).toEqual({ namespace, session })
    },
  )

  test.prop([ids, ids])(
    'only letters, digits, _, -, % and one separating dot stand in a stream name',
    (namespace, session) => {
      expect(sessionStream({ namespace, session })).toMatch(/^session-[A-Za-z0-9_%-]+\.[A-Za-z0-9_%-]+$/)
    },
  )

  test('two sessions never share a stream, whatever dots and percent signs their names hold', () => {
    const names = [
      ['a.b', 'c'],
      ['a', 'b.c'],
      ['a%2Eb', 'c'],
      ['a', 'b%2Ec'],
    ] as const
    const streams = names.map(([namespace, session]) => sessionStream({ namespace, session }))
    expect(new Set(streams).size).toBe(4)
  })

  test('a stream that is not ours is no session', () => {
    expect(parseSessionStream('$all')).toBeUndefined()
    expect(parseSessionStream('session-%E0%A4%A.x')).toBeUndefined()
    expect(parseSessionStream('claim-title-ab')).toBeUndefined()
  })
})

describe('ids', () => {
  test('an id has 1 to 200 characters, counted as people count them, and no lone surrogate', () => {
    expect(isIdentifier('')).toBe(false)
    expect(isIdentifier('😀'.repeat(200))).toBe(true)
    expect(isIdentifier('😀'.repeat(201))).toBe(false)
    expect(isIdentifier('\ud800')).toBe(false)
    expect(isIdentifier('../../etc/passwd')).toBe(true)
  })

  test('a known message has a known event id (seams 1.1): the derivation is part of the format', () => {
    expect(messageEventId(sha256, 'session-default.s', 'm1')).toBe(
      sha256('["message","session-default.s","m1"]').slice(0, 32),
    )
  })

  test.prop([fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 2 })])(
    'different messages, partial numbers and keys have different event ids',
    ([one = '', other = '']) => {
      const made = [
        messageEventId(sha256, 's', one),
        messageEventId(sha256, 's', other),
        messageEventId(sha256, 't', one),
        partialEventId(sha256, 's', one, 1),
        partialEventId(sha256, 's', one, 2),
        commandEventId(sha256, 's', one, 0),
        commandEventId(sha256, 's', one, 1),
        commandEventId(sha256, 's', other, 0),
        importedEventId(sha256, 's', { tool: one, source: other, record: '', aspect: '', value: '' }),
        importedEventId(sha256, 's', { tool: other, source: one, record: '', aspect: '', value: '' }),
      ]
      expect(new Set(made).size).toBe(made.length)
    },
  )

  test('a platform id always gives the same message id, and a valid one', () => {
    expect(platformMessageId(sha256, 'x'.repeat(5000))).toBe(platformMessageId(sha256, 'x'.repeat(5000)))
    expect(isIdentifier(platformMessageId(sha256, 'x'.repeat(5000)))).toBe(true)
  })
})

describe('claims (seams 4.2)', () => {
  const title = { namespace: 'default', kind: 'title', name: 'caf\u00e9' } as const

  test('a claim stream holds nothing of the name and depends on the secret of the store', () => {
    expect(claimStreamFor(sha256, 'secret', title)).toMatch(/^claim-title-[0-9a-f]{64}$/)
    expect(claimStreamFor(sha256, 'secret', title)).not.toBe(claimStreamFor(sha256, 'other', title))
  })

  test('names that look the same are the same: compared after Unicode NFC', () => {
    expect(claimStreamFor(sha256, 'secret', { ...title, name: 'cafe\u0301' })).toBe(
      claimStreamFor(sha256, 'secret', title),
    )
  })
})
