import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { safeJson, safeLine, safeText } from '../../packages/cli/src/output/safe-text.ts'

// oxlint-disable-next-line no-control-regex -- what must not come through
const dangerous = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

describe('stored text on a terminal', () => {
  test('an escape sequence is shown as signs and moves nothing', () => {
    expect(safeText('a\u001b[2Jb\u001b]0;title\u0007')).toBe('a␛[2Jb␛]0;title␇')
  })

  test('one-byte controls of eight-bit terminals are shown by number', () => {
    expect(safeText('\u009b31mred')).toBe('<U+009B>31mred')
  })

  test('text cannot be written backwards', () => {
    expect(safeText('invoice\u202Efdp.exe')).toBe('invoice<U+202E>fdp.exe')
  })

  test('tabs and line feeds stay, a lone carriage return cannot overwrite the line', () => {
    expect(safeText('a\tb\r\nc\rd')).toBe('a\tb\nc␍d')
  })

  test('half a character becomes the replacement sign', () => {
    expect(safeText('x\ud83dy')).toBe('x\ufffdy')
  })

  test('a line has no line breaks', () => {
    expect(safeLine('  two\n\n lines\t here ')).toBe('two lines here')
  })

  test.prop([fc.string({ unit: 'binary' })], { seed: 41 })('nothing dangerous comes through (seed 41)', (text) => {
    expect(safeText(text)).not.toMatch(dangerous)
    expect(safeLine(text)).not.toMatch(dangerous)
  })
})

describe('JSON on a terminal', () => {
  test.prop([fc.jsonValue({ stringUnit: 'binary' })], { seed: 42 })(
    'the document is the same, and nothing in it is a control (seed 42)',
    (value) => {
      const printed = safeJson(JSON.stringify(value))
      expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(printed).not.toMatch(dangerous)
    },
  )
})
