import { wordsOf } from './words.ts'

/** Words that stand one after the other; the last one may go on where `prefix` is set. */
export interface Phrase {
  readonly words: readonly string[]
  readonly prefix: boolean
}

/** What a text must have to be found: of each of `all` at least one phrase, and none of `none`. */
export interface SearchTerms {
  readonly all: readonly (readonly Phrase[])[]
  readonly none: readonly Phrase[]
}

interface Term {
  readonly phrase: Phrase
  readonly isExcluded: boolean
}

/** A quoted phrase, which the end closes where no quote does, else what stands between white space. */
const chunk = /(-?)"([^"]*)(?:"|$)(\*?)|(\S+)/gu
const excluded = /^-(?=[^\s-])/u

/**
 * Reads what a person types: words that must all be there, `"phrases"`, `-without`, `one OR other`, `begin*`. Never fails:
 * what makes no sense as an operator is text. Where all is excluded the dashes are text, too, so `-v` finds `-v`. What is said
 * twice is looked for once: a pasted text repeats its words by the thousand.
 */
export function parseQuery(query: string): SearchTerms {
  const all: Phrase[][] = []
  const none: Phrase[] = []
  let isAlternative = false
  for (const part of query.normalize('NFC').replace(/[“”]/gu, '"').matchAll(chunk)) {
    const [whole] = part
    if (whole === 'OR' && all.length > 0) isAlternative = true
    else if (whole !== 'AND' || all.length === 0) {
      const term = termOf(part)
      if (term.phrase.words.length === 0) continue
      const last = all.at(-1)
      if (term.isExcluded) none.push(term.phrase)
      else if (isAlternative && last) last.push(term.phrase)
      else all.push([term.phrase])
      isAlternative = false
    }
  }
  const groups = all.length > 0 ? all.map(eachOnce) : none.map((phrase) => [phrase])
  return { all: eachOnce(groups), none: all.length > 0 ? eachOnce(none) : [] }
}

function eachOnce<T>(items: readonly T[]): readonly T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
}

function termOf([, dash = '', quoted, star = '', bare = '']: RegExpMatchArray): Term {
  if (quoted !== undefined) return { phrase: phraseOf(quoted, star !== ''), isExcluded: dash !== '' }
  return { phrase: phraseOf(bare, /[\p{L}\p{N}]\*$/u.test(bare)), isExcluded: excluded.test(bare) }
}

function phraseOf(text: string, prefix: boolean): Phrase {
  return { words: [...wordsOf(text)].map(({ word }) => word), prefix }
}
