import type { Phrase, SearchTerms } from './parse-query.ts'

/** What must be among a text's facets: of each list at least one. */
export type WantedFacets = readonly (readonly string[])[]

/**
 * The query in FTS5's language, made of nothing but folded words in quotes and our own operators: no text of a caller is ever
 * read as syntax. Undefined where there is nothing to look for.
 */
export function matchExpression({ all, none }: SearchTerms, facets: WantedFacets): string | undefined {
  if (all.length === 0) return undefined
  const wanted = inText(all.map((phrases) => anyOf(phrases.map(phraseText))).join(' AND '))
  const found = none.length === 0 ? wanted : `(${wanted} NOT ${inText(anyOf(none.map(phraseText)))})`
  const asked = facets.map((names) => `({facets} : ${anyOf(names.map((name) => `"${name}"`))})`)
  return [found, ...asked].join(' AND ')
}

const inText = (expression: string): string => `({own other} : (${expression}))`

const anyOf = (expressions: readonly string[]): string => `(${expressions.join(' OR ')})`

/** Folded words hold neither quotes nor spaces. */
const phraseText = ({ words, prefix }: Phrase): string => `"${words.join(' ')}"${prefix ? ' *' : ''}`
