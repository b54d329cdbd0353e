import { z } from 'zod'

/** Any value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** Levels of lists and objects that a value may have; deeper ones would overflow the stack of whoever reads them. */
export const DEEPEST_JSON = 500

/** True for a value that is JSON already: no class instances, circles, holes, or numbers that are none. */
export function isJson(value: unknown): value is Json {
  return isJsonWithin(value, new Set())
}

function isJsonWithin(value: unknown, ancestors: Set<object>): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || ancestors.size >= DEEPEST_JSON || ancestors.has(value)) return false
  if (!Array.isArray(value) && !isPlain(value)) return false
  ancestors.add(value)
  // `from` shows the holes of a list as undefined, which is no JSON.
  const inner: readonly unknown[] = Array.isArray(value) ? Array.from(value) : Object.values(value)
  const isEach = inner.every((one) => isJsonWithin(one, ancestors))
  ancestors.delete(value)
  return isEach
}

/** Of any realm: the prototype of a plain object has none itself. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Gives the very value back: a schema that rebuilds objects would lose a key called `__proto__`. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the refinement is the proof, and zod does not narrow by it
export const json: z.ZodType<Json> = z.unknown().refine(isJson, {
  error: `no JSON value, or one nested deeper than ${DEEPEST_JSON} levels`,
}) as z.ZodType<Json>
