import { parseCount, parseNumber, parseTime } from './number.ts'
import { givenText, givenTexts, type Given } from './given.ts'
import { UsageError } from './usage-error.ts'

/** One option of a command; its name is that of its key in the command's `options`, in kebab-case. */
export interface Option<T> {
  readonly takes: 'nothing' | 'value' | 'value-or-nothing' | 'values'
  readonly placeholder: string
  readonly help: string
  readonly choices?: readonly string[]
  readonly required?: boolean
  /** Makes the value; throws a UsageError without the option's name, which its caller adds. */
  readonly read: (given: Given) => T
}

export function flag(help: string): Option<boolean> {
  return { takes: 'nothing', placeholder: '', help, read: (given) => given === true }
}

export function text(placeholder: string, help: string): Option<string | undefined> {
  return { takes: 'value', placeholder, help, read: givenText }
}

export function requiredText(placeholder: string, help: string): Option<string> {
  return { takes: 'value', placeholder, help, required: true, read: (given) => givenText(given) ?? missing() }
}

/** True where the option stands without a value. */
export function textOrNothing(placeholder: string, help: string): Option<string | true | undefined> {
  return { takes: 'value-or-nothing', placeholder, help, read: (given) => (given === true ? true : givenText(given)) }
}

/** May be given several times, or with several values. */
export function texts(placeholder: string, help: string): Option<readonly string[]> {
  return { takes: 'values', placeholder, help, read: givenTexts }
}

/** A whole number from `least` up. */
export function count(placeholder: string, help: string, least = 0): Option<number | undefined> {
  return { takes: 'value', placeholder, help, read: (given) => ifGiven(given, (word) => parseCount(word, least)) }
}

/** Any finite number, also a negative one or a fraction. */
export function number(placeholder: string, help: string): Option<number | undefined> {
  return { takes: 'value', placeholder, help, read: (given) => ifGiven(given, parseNumber) }
}

/** A moment, in epoch milliseconds; given as ISO 8601 or as epoch milliseconds. */
export function time(placeholder: string, help: string): Option<number | undefined> {
  return { takes: 'value', placeholder, help, read: (given) => ifGiven(given, parseTime) }
}

export function choice<const C extends string>(
  placeholder: string,
  choices: readonly C[],
  help: string,
): Option<C | undefined> {
  return { takes: 'value', placeholder, help, choices, read: (given) => ifGiven(given, (word) => oneOf(choices, word)) }
}

export function requiredChoice<const C extends string>(
  placeholder: string,
  choices: readonly C[],
  help: string,
): Option<C> {
  const read = (given: Given): C => ifGiven(given, (word) => oneOf(choices, word)) ?? missing()
  return { takes: 'value', placeholder, help, choices, required: true, read }
}

function ifGiven<T>(given: Given, parse: (word: string) => T): T | undefined {
  const word = givenText(given)
  return word === undefined ? undefined : parse(word)
}

function oneOf<C extends string>(choices: readonly C[], word: string): C {
  const found = choices.find((choice) => choice === word)
  if (found === undefined) throw new UsageError(`${JSON.stringify(word)} is none of ${choices.join(', ')}`)
  return found
}

function missing(): never {
  throw new UsageError('is required')
}
