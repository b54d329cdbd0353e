import type { Phrase, SearchTerms } from './parse-query.ts'
import { wordsOf } from './words.ts'

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
  /** All words were looked at, so that what is not counted is not there. */
  readonly whole: boolean
}

/** Beyond this many words a text is read on only until anything was found: enough for a snippet and a score. */
const MANY_WORDS = 5_000

interface Start {
  readonly phrase: Phrase
  readonly group: number
}

/** A phrase of which the first `seen` words were found. */
interface Begun extends Start {
  readonly from: number
  readonly seen: number
}

/** Finds the places of what was looked for in one text. */
export function findMatches(text: string, { all }: SearchTerms): Matches {
  const counts = all.map(() => 0)
  const found: TextRange[] = []
  const startsWith = startsOf(all)
  let begun: readonly Begun[] = []
  let words = 0
  for (const { word, from, to } of wordsOf(text)) {
    words += 1
    const starts = startsWith(word)
    if (begun.length > 0 || starts.length > 0) {
      const tried = [...begun, ...starts.map((start) => ({ ...start, from, seen: 0 }))]
      const going = tried.filter(({ phrase, seen }) => fits(phrase, seen, word))
      begun = going.flatMap((one) => (isLast(one) ? [] : [{ ...one, seen: one.seen + 1 }]))
      for (const whole of going.filter(isLast)) {
        counts[whole.group] = (counts[whole.group] ?? 0) + 1
        found.push({ from: whole.from, to })
      }
    }
    if (words >= MANY_WORDS && found.length > 0) return { ranges: joined(found), counts, words, whole: false }
  }
  return { ranges: joined(found), counts, words, whole: true }
}

const isLast = ({ phrase, seen }: Begun): boolean => seen === phrase.words.length - 1

function fits({ words, prefix }: Phrase, at: number, word: string): boolean {
  const wanted = words[at] ?? ''
  return prefix && at === words.length - 1 ? word.startsWith(wanted) : word === wanted
}

const nothing: readonly Start[] = []

/** Which phrases may begin with a word. Those that are only begun in one word are tried one by one, all others are looked up. */
function startsOf(all: SearchTerms['all']): (word: string) => readonly Start[] {
  const whole = new Map<string, Start[]>()
  const onlyBegun: Start[] = []
  for (const [group, phrases] of all.entries())
    for (const phrase of phrases) {
      const [first = ''] = phrase.words
      if (phrase.prefix && phrase.words.length === 1) onlyBegun.push({ phrase, group })
      else {
        const starts = whole.get(first)
        if (starts) starts.push({ phrase, group })
        else whole.set(first, [{ phrase, group }])
      }
    }
  return (word) => {
    const exact = whole.get(word) ?? nothing
    const more = onlyBegun.filter(({ phrase }) => fits(phrase, 0, word))
    return more.length === 0 ? exact : [...exact, ...more]
  }
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
