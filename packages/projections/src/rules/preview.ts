import { headOf, type Part } from '@refold/events'
import { rangeOf } from '../read/hidden-at.ts'
import { hiddenIn, levelsOf, type Level } from '../read/levels.ts'
import type { TableRows } from '../tables.ts'
import type { EntryRow } from './transcript-rows.ts'

/** Longest preview, in UTF-16 units. */
const LONGEST_PREVIEW = 80

export interface Preview {
  readonly n: number
  readonly text: string
}

/**
 * What a person said, in the first words of its first text, else the name of the first file that was sent without a word;
 * white space folded. Empty where there is neither.
 */
export function previewText(parts: readonly Part[]): string {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [headOf(part.text)] : []))
  const names = parts.flatMap((part) => (part.type === 'file' && part.name !== undefined ? [part.name] : []))
  for (const text of [...texts, ...names]) {
    const words = firstWords(text)
    if (words !== '') return copied(words.slice(0, endOfCharacter(words)).toWellFormed())
  }
  return ''
}

/** More than a preview's words, if there are as many; looks at the second part only where the first has too much space. */
function firstWords(text: string): string {
  const words = folded(text.slice(0, LONGEST_PREVIEW + 16))
  return words.length > LONGEST_PREVIEW ? words : folded(text.slice(0, 4 * LONGEST_PREVIEW))
}

/** White space as single blanks. The pattern leaves those out that are so already, for each match costs. */
function folded(text: string): string {
  return text.replace(/\s{2,}|[^\S ]/g, ' ').trim()
}

/** A slice keeps the whole text in memory for as long as its row. */
function copied(slice: string): string {
  const text: unknown = JSON.parse(JSON.stringify(slice))
  return typeof text === 'string' ? text : slice
}

/** Where to cut so that no character is parted. */
function endOfCharacter(words: string): number {
  const last = words.charCodeAt(LONGEST_PREVIEW - 1)
  return last >= 0xd800 && last < 0xdc00 ? LONGEST_PREVIEW - 1 : LONGEST_PREVIEW
}

/** Only words that a person wrote can stand for a session in a list, never those of an engine. */
export function canBePreview({ kind, role, provenance, shownTo }: Readonly<EntryRow>): boolean {
  return kind === 'message' && role === 'user' && provenance === 'person' && shownTo !== 'model'
}

/** The first words in sight, of the session or of what it begins with. Jumps over what is hidden. */
export function firstPreview(rows: TableRows, stream: string): Preview | undefined {
  const levels = levelsOf(rows, stream)
  const hidden = hiddenIn(rows, levels)
  let after = -1
  for (;;) {
    const n = nextPreview(rows, levels, after)
    if (n === undefined) return undefined
    const range = rangeOf(hidden, n)
    const text = range ? '' : textAt(rows, levels, n)
    if (text !== '') return { n, text }
    after = range ? range.to - 1 : n
  }
}

function nextPreview(rows: TableRows, levels: readonly Level[], after: number): number | undefined {
  const next = levels.flatMap(({ stream, bound }) =>
    rows.previews.range('key', { prefix: [stream], after: [after], before: [bound], limit: 1 }).map(({ n }) => n),
  )
  return next.length === 0 ? undefined : Math.min(...next)
}

function textAt(rows: TableRows, levels: readonly Level[], n: number): string {
  for (const { stream, at } of levels) {
    const before = at === Infinity ? {} : { before: [at + 1] }
    const [row] = rows.previews.range('key', { prefix: [stream, n], ...before, limit: 1, backwards: true })
    if (row) return row.text
  }
  return ''
}
