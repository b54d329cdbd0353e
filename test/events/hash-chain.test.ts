import { fc, test } from '@fast-check/vitest'
import { CHAIN_START, chainHash, payloadDigest, type HashedEnvelope } from '@refold/events'
import { expect } from 'vitest'
import { sha256 } from '../support/sha256.ts'

const event: HashedEnvelope = {
  id: 'a'.repeat(32),
  stream: 'session-default.s',
  revision: 3,
  type: 'Renamed',
  version: 1,
  recordedAt: 1_700_000_000_000,
  actor: { kind: 'person', id: 'ada', surface: 'cli' },
}
const digest = payloadDigest(sha256, '0f'.repeat(16), '{"title":"x","by":"person"}')

test('the hash can be computed from its description alone (seams 2.1)', () => {
  const text = `[1,"${CHAIN_START}","session-default.s",3,"${'a'.repeat(32)}","Renamed",1,1700000000000,"ada",null,null,"${digest}"]`
  expect(chainHash(sha256, CHAIN_START, event, digest)).toBe(sha256(text))
})

test('the digest covers the salt and the very bytes of the payload (seams 2.2)', () => {
  expect(digest).toBe(sha256(`${'0f'.repeat(16)}{"title":"x","by":"person"}`))
})

const changes: readonly Partial<HashedEnvelope>[] = [
  { id: 'b'.repeat(32) },
  { stream: 'session-default.t' },
  { revision: 4 },
  { type: 'Ended' },
  { version: 2 },
  { recordedAt: 1 },
  { actor: { kind: 'person', id: 'eve' } },
  { correlationId: 'c' },
  { causationId: 'c' },
]

test.prop([fc.constantFrom(...changes)])('changing anything in the envelope changes the hash', (change) => {
  expect(chainHash(sha256, CHAIN_START, { ...event, ...change }, digest)).not.toBe(
    chainHash(sha256, CHAIN_START, event, digest),
  )
})

test('correlation and causation cannot be swapped unnoticed', () => {
  const one = chainHash(sha256, CHAIN_START, { ...event, correlationId: 'x' }, digest)
  const other = chainHash(sha256, CHAIN_START, { ...event, causationId: 'x' }, digest)
  expect(one).not.toBe(other)
})
