import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import type { Scalar } from '@refold/projections'
import { setOf, WrittenValues } from '../../packages/engine/src/views/written-values.ts'

const scalars: fc.Arbitrary<readonly Scalar[]> = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true }),
    fc.boolean(),
    fc.constant(null),
  ),
  { minLength: 1, maxLength: 3 },
)

test.prop([fc.array(scalars, { minLength: 1, maxLength: 50 })], { seed: 60, numRuns: 50 })(
  'what was added is never said to be absent (seed 60)',
  (added) => {
    const written = new WrittenValues()
    for (const values of added) written.add(setOf('entries'), values)
    for (const values of added) expect(written.has(setOf('entries'), values)).toBe(true)
  },
)

test('nearly all that was never added is known to be absent, also in other columns and beside many', () => {
  const written = new WrittenValues()
  const stream = 'session-default.one'
  for (let n = 0; n < 200_000; n += 1) written.add(setOf('entries'), [stream, n])
  expect(written.has(setOf('versions'), [stream, 1])).toBe(false)
  expect(written.has(setOf('entries'), [stream, '1'])).toBe(false)
  let wrong = 0
  for (let n = 200_000; n < 300_000; n += 1) if (written.has(setOf('entries'), [stream, n])) wrong += 1
  expect(wrong).toBeLessThan(1_000)
})
