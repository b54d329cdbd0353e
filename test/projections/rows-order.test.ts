import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { compareScalars, compareText } from '@refold/projections'
import { awkwardTexts } from './table-operation.ts'

const seed = 20_261_130
const anyText = fc.oneof(
  fc.constantFrom(...awkwardTexts),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', '\ud800', '\udc00', '\ue000', '\u{10000}') }),
)

/** A text's code points, written so that they compare as they do. */
const points = (text: string): string =>
  Array.from(text, (character) => (character.codePointAt(0) ?? 0).toString(16).padStart(6, '0')).join(' ')

describe('texts are ordered by code point', () => {
  test.prop([anyText, anyText], { seed, numRuns: 2000 })(`as their lists of code points are (seed ${seed})`, (a, b) => {
    const [x, y] = [points(a), points(b)]
    expect(Math.sign(compareText(a, b))).toBe(x < y ? -1 : x > y ? 1 : 0)
  })

  test('U+E000 stands before U+10000, which UTF-16 puts first', () => {
    expect(compareText('\ue000', '\u{10000}')).toBeLessThan(0)
    expect(['\ue000', '\u{10000}'].toSorted()).toEqual(['\u{10000}', '\ue000'])
  })

  test('a text stands before a longer one that begins with it', () => {
    expect(compareText('a', 'ab')).toBeLessThan(0)
    expect(compareText('\ud800', '\u{10000}')).toBeLessThan(0)
  })
})

test('null comes first, then false, true, numbers, then texts', () => {
  const ordered = [null, false, true, 1.5, 2, '', '1', 'a']
  expect(ordered.toReversed().sort(compareScalars)).toEqual([null, false, true, 1.5, 2, '', '1', 'a'])
})
