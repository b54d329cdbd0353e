import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { testNames } from '../support/test-names.ts'

/** A test as a row names it: by the number that its name begins with, or by the beginning of its name. */
export interface NamedTest {
  readonly file: string
  /** Null: the row's number. */
  readonly begins: string | null
}

/** A row of docs/invariants.md. */
export interface Promised {
  readonly number: string
  readonly promise: string
  readonly tests: readonly NamedTest[]
  readonly status: string
}

/** A test that stands in a file, whole. */
export interface FoundTest {
  readonly file: string
  readonly name: string
}

const page = new URL('../../docs/invariants.md', import.meta.url)
const tests = new URL('../', import.meta.url)

/** Where the numbers come from; null where that is not beside the checkout. */
export function shared(name: string): string | null {
  const file = new URL(`../../../shared/${name}`, import.meta.url)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

export function promisedRows(): readonly Promised[] {
  return rowsOf(readFileSync(page, 'utf8')).map(([number = '', promise = '', named = '', status = '']) => ({
    number,
    promise,
    tests: named === '' ? [] : named.split('<br>').map((one) => namedTest(number, one)),
    status,
  }))
}

/** Cells of all rows of a page's tables, heads left out. */
export function rowsOf(markdown: string): readonly (readonly string[])[] {
  return markdown
    .split('\n')
    .filter((line) => /^\| [A-Z]\d/u.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
}

function namedTest(number: string, words: string): NamedTest {
  const found = /^`([^`]+)` (?:“(.+)”|([ABS][\d.]+))$/u.exec(words)
  const [, file, begins, numbered] = found ?? []
  if (file === undefined || (begins === undefined && numbered !== number))
    throw new Error(`${number} names no test with: ${words}`)
  return { file, begins: begins ?? null }
}

/** `A54, A55: a title …`: the promises that a test's name says it keeps. */
export function numbersIn(name: string): readonly string[] {
  const found = /^((?:[AB]\d+|S\d+(?:\.\d+)?)(?:, (?:[AB]\d+|S\d+(?:\.\d+)?))*): /u.exec(name)
  return found?.[1]?.split(', ') ?? []
}

const read = new Map<string, readonly FoundTest[]>()

/** All tests of a file below `test`, named without its ending; none where there is no such file. */
export function testsIn(file: string): readonly FoundTest[] {
  const known = read.get(file)
  if (known) return known
  const place = [`${file}.test.ts`, `${file}.ts`].map((one) => new URL(one, tests)).find((one) => existsSync(one))
  const found = place ? testNames(place).map((name) => ({ file, name })) : []
  read.set(file, found)
  return found
}

/** The tests that a row means by one of its names. */
export function meant(number: string, { file, begins }: NamedTest): readonly FoundTest[] {
  return testsIn(file).filter(({ name }) =>
    begins === null ? numbersIn(name).includes(number) : name.startsWith(begins),
  )
}

/** Files of this folder that hold promises. */
export function invariantFiles(): readonly string[] {
  return readdirSync(new URL('.', import.meta.url))
    .filter((file) => file.endsWith('.test.ts') && file !== 'catalogue.test.ts')
    .map((file) => `invariants/${file.replace('.test.ts', '')}`)
}
