import type { Scalar } from './port.ts'

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/**
 * Order by code point, which is that of UTF-8 bytes. JavaScript's `<` goes by UTF-16 units and puts U+10000 before U+E000.
 * Lone surrogates count as the code points that they are.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  let at = 0
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  if (at === length) return a.length - b.length
  const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)]
  if (!isSurrogate(x) && !isSurrogate(y)) return x - y
  const start = at > 0 && isHigh(a.charCodeAt(at - 1)) ? at - 1 : at
  return (a.codePointAt(start) ?? 0) - (b.codePointAt(start) ?? 0) || x - y
}

/** Null first, then false, true, numbers, then text: the order of the port and of SQLite. Negative when `a` comes first. */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (a === b) return 0
  if (typeof a === 'string') return typeof b === 'string' ? compareText(a, b) : 1
  if (typeof b === 'string') return -1
  if (a === null) return -1
  if (b === null) return 1
  return Number(a) - Number(b)
}
