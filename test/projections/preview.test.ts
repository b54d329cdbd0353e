import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { previewText } from '../../packages/projections/src/rules/preview.ts'

const previewOf = (text: string): string => previewText([{ type: 'text', text }])

test('a preview is the first 80 units of what was said, white space folded', () => {
  expect(previewOf('  fix\n\n the \t tests  ')).toBe('fix the tests')
  expect(previewOf(`${'word '.repeat(40)}end`)).toBe('word '.repeat(16))
  expect(previewOf(`${'a'.repeat(79)}\u{1f600}`)).toBe('a'.repeat(79))
})

test('words that stand behind much white space are found', () => {
  expect(previewOf(`one${' '.repeat(200)}two`)).toBe('one two')
  expect(previewOf(`${'\n'.repeat(300)}late`)).toBe('late')
  expect(previewOf(`${' '.repeat(320)}too late`)).toBe('')
})

test.prop(
  [fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\u00a0', '\u{1f600}', '\ud83d'), maxLength: 500 })],
  {
    seed: 61,
    numRuns: 2_000,
  },
)('looking at the first part only gives what the whole would give (seed 61)', (text) => {
  const words = text.slice(0, 320).replace(/\s+/g, ' ').trim()
  const last = words.charCodeAt(79)
  const cut = last >= 0xd800 && last < 0xdc00 ? 79 : 80
  expect(previewOf(text)).toBe(words.slice(0, cut).toWellFormed())
})
