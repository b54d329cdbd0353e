import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { displayWidth, fit } from '../../packages/cli/src/output/display-width.ts'
import { look } from '../../packages/cli/src/output/look.ts'
import { table } from '../../packages/cli/src/output/table.ts'

const plain = (columns: number) => look({ isTerminal: true, columns, environment: { NO_COLOR: '1' } })

const red = (isTerminal: boolean, environment: { [name: string]: string }) =>
  look({ isTerminal, columns: 80, environment }).colours.red('x')

describe('the width of text', () => {
  test.each([
    ['plain', 5],
    ['指紋センサー', 12],
    ['🎉 done', 7],
    ['👩‍💻', 2],
    ['e\u0301', 1],
    ['\u001b[1mbold\u001b[22m', 4],
  ])('%j takes %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width)
  })

  test.prop(
    [fc.string({ unit: fc.constantFrom('a', 'ß', 'ł', '“', '…', '–', ' ') }), fc.integer({ min: 1, max: 20 })],
    {
      seed: 44,
    },
  )('Latin text is measured and cut as any other text is (seed 44)', (text, width) => {
    expect(displayWidth(text)).toBe(displayWidth(`${text}指`) - 2)
    const whole = fit(`${text}指`, width)
    expect(fit(text, width)).toBe(displayWidth(text) <= width ? text : whole)
  })

  test('a text that does not fit ends with an ellipsis and never in half a character', () => {
    expect(fit('指紋センサー', 6)).toBe('指紋…')
    expect(fit('👩‍💻👩‍💻👩‍💻', 4)).toBe('👩‍💻…')
    expect(fit('fits', 4)).toBe('fits')
  })

  test.prop([fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 })], { seed: 43 })(
    'what was fitted fits (seed 43)',
    (text, width) => {
      expect(displayWidth(fit(text, width))).toBeLessThanOrEqual(width)
    },
  )
})

describe('a table', () => {
  test('aligns columns by what a terminal shows', () => {
    const drawn = table(
      plain(80),
      [{ head: 'NAME' }, { head: 'N', align: 'right' }, { head: 'X' }],
      [
        ['scanner', '1', 'a'],
        ['指紋', '20', 'b'],
        ['🎉 party', '300', 'c'],
      ],
    )
    expect(drawn.split('\n')).toEqual(['NAME        N  X', 'scanner     1  a', '指紋       20  b', '🎉 party  300  c'])
  })

  test('is not cut for a program that reads it', () => {
    const wide = 'wide '.repeat(50).trim()
    const drawn = table(
      look({ isTerminal: false, columns: 40, environment: {} }),
      [{ head: 'A', atLeast: 4 }],
      [[wide]],
    )
    expect(drawn).toBe(`A\n${wide}`)
  })

  test('shortens the columns that may give way until the row fits the screen', () => {
    const drawn = table(
      plain(40),
      [{ head: 'ID' }, { head: 'TITLE', atLeast: 8 }],
      [['20260619_131108', 'a title '.repeat(9)]],
    )
    for (const line of drawn.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(40)
    expect(drawn).toContain('20260619_131108')
  })

  test('in need does without a column, and only then shortens the one that should stay whole', () => {
    const columns = [
      { head: 'ID', atLeast: 6, inNeed: 'stays' },
      { head: 'TITLE', atLeast: 8 },
      { head: 'FROM', atLeast: 6, inNeed: 'leaves' },
    ] as const
    const rows = [['id-of-a-job', 'a long title', 'branch of x']]
    const drawn = (width: number) => table(plain(width), columns, rows).split('\n')
    expect(drawn(40)).toEqual(['ID           TITLE         FROM', 'id-of-a-job  a long title  branch of x'])
    // A terminal counts as 40 columns at least, so narrower ones are given here.
    const at = (width: number) => table({ ...plain(40), columns: width }, columns, rows).split('\n')
    expect(at(30)).toEqual(['ID           TITLE    FROM', 'id-of-a-job  a long…  branch…'])
    expect(at(25)).toEqual(['ID           TITLE', 'id-of-a-job  a long title'])
    expect(at(18)).toEqual(['ID        TITLE', 'id-of-a…  a long…'])
  })
})

describe('colours', () => {
  test('are there on a terminal, and not elsewhere, and not against NO_COLOR', () => {
    expect(red(true, {})).toBe('\u001b[31mx\u001b[39m')
    expect(red(false, { CI: '1' })).toBe('x')
    expect(red(true, { NO_COLOR: '1' })).toBe('x')
    expect(red(true, { TERM: 'dumb' })).toBe('x')
  })
})
