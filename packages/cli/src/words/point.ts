import type { Point } from '@refold/engine'
import { givenText, type Given } from './given.ts'
import { parseCount, parseTime } from './number.ts'
import type { Operand } from './operand.ts'
import type { Option } from './option.ts'
import { UsageError } from './usage-error.ts'

/** A point as it was typed: a revision (or position), a time, or so long ago. */
export type PointWord = { readonly number: number } | { readonly time: number } | { readonly ago: number }

const units: { readonly [unit: string]: number } = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

export const pointWords = 'a revision, a time such as 2026-06-19T13:11:08Z, or how long ago, such as -2h'

/** `57`, `2026-06-19T13:11:08Z`, `-2h` (also `2h`; s, m, h, d, w), `now`. */
export function parsePoint(word: string): PointWord {
  if (/^\d+$/.test(word)) return { number: parseCount(word, 0) }
  if (word === 'now') return { time: Number.POSITIVE_INFINITY }
  const [, count = '', unit = ''] = /^-?(\d{1,9})([smhdw])$/.exec(word) ?? []
  const length = units[unit]
  if (length !== undefined) return { ago: Number(count) * length }
  if (/^\d{4}-/.test(word)) return { time: parseTime(word) }
  throw new UsageError(`${JSON.stringify(word)} is none of these: ${pointWords}, or now`)
}

/** The point that is meant, by the clock of this machine; `by` says which times of a session a time goes by. */
export function pointOf(word: PointWord, now: number, by?: 'recorded' | 'messages'): Point {
  if ('number' in word) return word.number
  return { time: 'ago' in word ? now - word.ago : word.time, ...(by !== undefined && { by }) }
}

export function point(placeholder: string, help: string): Option<PointWord | undefined> {
  return { takes: 'value', placeholder, help, read: (given) => ifGiven(given) }
}

export function pointOperand(name: string, help: string): Operand<PointWord> {
  return { name, help, takes: 'one', read: (given) => ifGiven(given) ?? missing() }
}

function ifGiven(given: Given): PointWord | undefined {
  const word = givenText(given)
  return word === undefined ? undefined : parsePoint(word)
}

function missing(): never {
  throw new UsageError('is missing')
}
