import type { Phrase, SearchTerms } from './parse-query.ts'
import { wordsOf, type Word } from './words.ts'

/** Where a text matches: UTF-16 units `[from, to)`. */
export interface TextRange {
  readonly from: number
  readonly to: number
}

export interface Matches {
  /** In order, those that overlap as one. */
  readonly ranges: readonly TextRange[]
  /** How often each group of alternatives was found, in the order of the query. */
  readonly counts: readonly number[]
  /** Words looked at. */
  readonly words: number
}

/** Beyond this many words a text is read on only until anything was found: enough for a snippet and a score. */
const MANY_WORDS = 20_000

/** Finds the places of what was looked for in one text. */
export function findMatches(text: string, { all }: SearchTerms): Matches {
  const counts = all.map(() => 0)
  const found: TextRange[] = []
  const starts = startsOf(all)
  const longest = Math.max(0, ...all.flat().map(({ words }) => words.length))
  const window: Word[] = []
  let words = 0
  const look = (): void => {
    for (const { phrase, group } of starts(window[0]?.word ?? '')) {
      const end = endOf(phrase, window)
      if (!end) continue
      counts[group] = (counts[group] ?? 0) + 1
      found.push({ from: window[0]?.from ?? 0, to: end.to })
    }
    window.shift()
  }
  for (const word of wordsOf(text)) {
    words += 1
    window.push(word)
    if (window.length >= longest) look()
    if (words >= MANY_WORDS && found.length > 0) break
  }
  while (window.length > 0) look()
  return { ranges: joined(found), counts, words }
}

interface Start {
  readonly phrase: Phrase
  readonly group: number
}

/** Which phrases may begin with a word. Beginnings that are only begun are tried one by one, all others are looked up. */
function startsOf(all: SearchTerms['all']): (word: string) => readonly Start[] {
  const whole = new Map<string, Start[]>()
  const begun: Start[] = []
  for (const [group, phrases] of all.entries())
    for (const phrase of phrases) {
      const [first = ''] = phrase.words
      if (phrase.prefix && phrase.words.length === 1) begun.push({ phrase, group })
      else whole.set(first, [...(whole.get(first) ?? []), { phrase, group }])
    }
  return (word) => {
    const exact = whole.get(word) ?? []
    return begun.length === 0 ? exact : [...exact, ...begun]
  }
}

function endOf({ words, prefix }: Phrase, window: readonly Word[]): Word | undefined {
  for (const [at, wanted] of words.entries()) {
    const word = window[at]?.word
    const fits = prefix && at === words.length - 1 ? word?.startsWith(wanted) : word === wanted
    if (fits !== true) return undefined
  }
  return window[words.length - 1]
}

function joined(ranges: readonly TextRange[]): readonly TextRange[] {
  const result: TextRange[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last && range.from < last.to) result[result.length - 1] = { from: last.from, to: Math.max(last.to, range.to) }
    else result.push(range)
  }
  return result
}
