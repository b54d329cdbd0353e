import type { TextRange } from './find-matches.ts'

/** A piece of a text around what was found in it, on one line. */
export interface Snippet {
  readonly text: string
  /** Where it matches. */
  readonly marks: readonly TextRange[]
}

/** UTF-16 units of text before the first match, and in all. */
const LEAD = 40
const LENGTH = 180
/** How far a cut may move to fall between two words. */
const SLACK = 15

const controls = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\s]+/gu

/**
 * The text around the first match, with all matches in it. White space, controls and what turns the direction of writing are
 * folded into single spaces, so that it can be shown anywhere; cuts are told by an ellipsis.
 */
export function snippetOf(text: string, ranges: readonly TextRange[]): Snippet {
  const first = ranges[0]?.from ?? 0
  const from = first <= LEAD ? 0 : wordStart(text, first - LEAD)
  const to = wordEnd(text, Math.max(from + LENGTH, Math.min(ranges[0]?.to ?? 0, first + LENGTH)))
  let written = from > 0 ? '… ' : ''
  const marks: TextRange[] = []
  let at = from
  const write = (end: number): TextRange => {
    const begin = written.length
    const piece = text.slice(at, end).replace(controls, ' ').toWellFormed()
    const isDouble = piece.startsWith(' ') && (written === '' || written.endsWith(' '))
    written += isDouble ? piece.slice(1) : piece
    at = end
    return { from: begin, to: written.length }
  }
  for (const range of ranges) {
    if (range.from >= to) break
    write(range.from)
    marks.push(write(Math.min(range.to, to)))
  }
  write(to)
  const whole = written.trimEnd()
  return { text: to < text.length ? `${whole} …` : whole, marks }
}

function wordStart(text: string, at: number): number {
  const space = text.slice(at, at + SLACK).search(/\s/u)
  return space >= 0 ? at + space + 1 : whole(text, at)
}

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length
  const before = text.slice(at - SLACK, at)
  const space = before.search(/\s\S*$/u)
  return space >= 0 ? at - SLACK + space : whole(text, at)
}

/** Moves a cut out of the middle of a character of two units. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}
