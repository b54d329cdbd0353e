import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { exists, parts } from '../scenarios/waiting.ts'
import { invariantFiles, meant, numbersIn, promisedRows, rowsOf, shared, testsIn } from './promises.ts'

const rows = promisedRows()
const invariants = shared('cases/invariants.md')
const seams = shared('seams.md')
const scenarios = shared('cases/bug-scenarios.md')

/** Numbers of a list in one part of a page. */
const listed = (part: string): readonly string[] => [...part.matchAll(/^(\d+)\. /gmu)].map(([, number = '']) => number)

/** A part of a page, from the heading that begins so to the next one. */
const under = (markdown: string, heading: string): string =>
  markdown.split(/^## /mu).find((part) => part.startsWith(heading)) ?? ''

function rulesOf(markdown: string): readonly string[] {
  return markdown
    .split(/^## (?=\d)/mu)
    .slice(1)
    .flatMap((part) => {
      const section = `S${parseInt(part, 10)}`
      const rules = listed(part.slice(part.indexOf('\n')))
      return rules.length === 0 ? [section] : rules.map((rule) => `${section}.${rule}`)
    })
}

describe('docs/invariants.md', () => {
  test.skipIf(invariants === null || seams === null)(
    'has a row for each promise and each rule, in their order (skipped where they are not beside the checkout)',
    () => {
      const expected = [
        ...listed(under(invariants ?? '', 'A.')).map((number) => `A${number}`),
        ...listed(under(invariants ?? '', 'B.')).map((number) => `B${number}`),
        ...rulesOf(seams ?? ''),
      ]
      expect(expected).toHaveLength(150)
      expect(rows.map(({ number }) => number)).toEqual(expected)
    },
  )

  test('has no gap in the numbers of any part', () => {
    const numbers = new Map<string, number[]>()
    for (const { number } of rows) {
      const [, part = '', place = '1'] = /^([AB]|S\d+)\.?(\d+)?$/u.exec(number) ?? []
      numbers.set(part, [...(numbers.get(part) ?? []), Number(place)])
    }
    const sections = Array.from({ length: 10 }, (_, n) => `S${n + 1}`)
    expect([...numbers.keys()]).toEqual(['A', 'B', ...sections])
    for (const [part, found] of numbers) expect({ part, found }).toEqual({ part, found: found.map((_, n) => n + 1) })
  })

  test('names each number once and says what is promised', () => {
    expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length)
    for (const { number, promise } of rows) expect(`${number} ${promise}`).toMatch(/ [A-Z].{15,}\.$/u)
  })

  test('says of each row that tests keep it, which part it waits for, or why it does not apply', () => {
    for (const { number, status, tests } of rows) {
      const part = /^waits for (.+)$/u.exec(status)?.[1]
      if (status === 'kept') expect({ number, tests: tests.length }).not.toEqual({ number, tests: 0 })
      else if (part !== undefined) expect(parts, `${number} waits for a part that nobody plans`).toContain(part)
      else expect(`${number} ${status}`).toMatch(/ does not apply: .{20,}$/u)
    }
  })

  test.each(parts)('nothing waits for %s once that is there', (part) => {
    const waiting = rows.filter(({ status }) => status === `waits for ${part}`).map(({ number }) => number)
    if (exists(part)) expect(waiting, `Refold has ${part} now: write the tests of these promises`).toEqual([])
  })

  test('names tests that stand where it says, each by one name', () => {
    const lost = rows.flatMap(({ number, tests }) =>
      tests.filter((one) => meant(number, one).length !== 1).map((one) => ({ number, ...one })),
    )
    expect(lost).toEqual([])
  })

  test('names no test for two promises, unless its name says both numbers', () => {
    const holders = new Map<string, string>()
    for (const { number, tests } of rows)
      for (const { file, name } of tests.flatMap((one) => meant(number, one))) {
        const holder = holders.get(`${file} ${name}`) ?? number
        if (holder !== number) expect(numbersIn(name)).toEqual(expect.arrayContaining([holder, number]))
        holders.set(`${file} ${name}`, number)
      }
    expect(holders.size).toBeGreaterThan(rows.length)
  })

  test('has each test of this folder in the rows of the numbers that its name says', () => {
    for (const found of invariantFiles().flatMap(testsIn)) {
      const numbers = numbersIn(found.name)
      expect(numbers, `${found.file}: ${found.name}`).not.toEqual([])
      for (const number of numbers) {
        const row = rows.find((one) => one.number === number)
        expect(row?.tests.flatMap((one) => meant(number, one)) ?? [], `${number} does not name it`).toContainEqual(
          found,
        )
      }
    }
  })
})

test.skipIf(scenarios === null)(
  'docs/scenarios.md has a row for each public bug (skipped where they are not beside the checkout)',
  () => {
    const page = readFileSync(new URL('../../docs/scenarios.md', import.meta.url), 'utf8')
    const ids = [...(scenarios ?? '').matchAll(/^#### (B\d+)/gmu)].map(([, id]) => id)
    expect(ids).toHaveLength(204)
    expect(
      rowsOf(page)
        .map(([id]) => id)
        .toSorted((a = '', b = '') => a.localeCompare(b)),
    ).toEqual(ids.toSorted((a = '', b = '') => a.localeCompare(b)))
  },
)
