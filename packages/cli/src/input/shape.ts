/*
 * Reads values that somebody else wrote, strictly: a misspelt field is an error and not a loss.
 */
import { isoTime } from '../words/iso-time.ts'

/** A value does not have the shape that is needed; the message says where and what. */
export class Misshapen extends Error {
  override readonly name = 'Misshapen'
}

/** Makes a value of unknown shape one of `T`; `where` names it in errors. */
export type Reader<T> = (value: unknown, where: string) => T

export const aText: Reader<string> = (value, where) =>
  typeof value === 'string' ? value : misshapen(where, 'text', value)

export const someText: Reader<string> = (value, where) =>
  typeof value === 'string' && value !== '' ? value : misshapen(where, 'text that is not empty', value)

export const aNumber: Reader<number> = (value, where) =>
  typeof value === 'number' && Number.isFinite(value) ? value : misshapen(where, 'a number', value)

export const aCount: Reader<number> = (value, where) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value
    : misshapen(where, 'a whole number from 0 up', value)

export const aBoolean: Reader<boolean> = (value, where) =>
  typeof value === 'boolean' ? value : misshapen(where, 'true or false', value)

/** Epoch milliseconds from a number of them, or from ISO 8601. */
export const aTime: Reader<number> = (value, where) => {
  const time = typeof value === 'string' ? isoTime(value) : value
  const isTime = typeof time === 'number' && Number.isFinite(time)
  return isTime ? time : misshapen(where, 'a time in ISO 8601 or epoch milliseconds', value)
}

export function oneOf<const C extends string>(...choices: readonly C[]): Reader<C> {
  return (value, where) => choices.find((choice) => choice === value) ?? misshapen(where, choices.join(', '), value)
}

export function listOf<T>(reader: Reader<T>): Reader<readonly T[]> {
  return (value, where) =>
    Array.isArray(value)
      ? value.map((item: unknown, at) => reader(item, `${where}[${at}]`))
      : misshapen(where, 'a list', value)
}

type Shape = { readonly [name: string]: Reader<unknown> }

/** An object with these fields, each of which may be absent, and no others. */
export function fields<const S extends Shape>(
  shape: S,
): Reader<{ readonly [K in keyof S]: ReturnType<S[K]> | undefined }> {
  return (value, where) => {
    const found = anObject(value, where)
    const read: { [name: string]: unknown } = {}
    for (const [name, field] of Object.entries(found)) {
      const reader = Object.hasOwn(shape, name) ? shape[name] : undefined
      if (reader === undefined) throw new Misshapen(`${inside(where, name)} is no field that is known here`)
      read[name] = reader(field, inside(where, name))
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the boundary: every field went through the reader of its name
    return read as { readonly [K in keyof S]: ReturnType<S[K]> | undefined }
  }
}

export const anObject: Reader<object> = (value, where) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : misshapen(where, 'an object', value)

export function misshapen(where: string, needed: string, found: unknown): never {
  const what = found === undefined ? 'is missing' : `is ${JSON.stringify(found)?.slice(0, 60) ?? typeof found}`
  throw new Misshapen(`${where || 'it'} ${what}; needed is ${needed}`)
}

const inside = (where: string, name: string): string => (where === '' ? name : `${where}.${name}`)
