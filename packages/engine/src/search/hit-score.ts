import { findMatches, type Matches, type Searchable, type SearchTerms } from '@refold/projections'

export interface Scored {
  /** The text that the snippet is of, and its matches. */
  readonly text: string
  readonly matches: Matches
  readonly score: number
  /** Some of what was looked for is surely not in the text: an index that says otherwise is damaged. */
  readonly isWrong: boolean
}

/** What somebody said, against what tools were given and gave back. */
const OWN_WEIGHT = 1
const OTHER_WEIGHT = 0.4
/** As in BM25: how soon more of the same counts no more, and how much length takes away, measured by a message of usual length. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.75
const USUAL_WORDS = 200

/**
 * How well a message fits, from its own text alone: not from how rare the words are elsewhere, so that its score stays the
 * same whatever else is written.
 */
export function scored({ own, other }: Searchable, terms: SearchTerms): Scored {
  const inOwn = findMatches(own, terms)
  const inOther = findMatches(other, terms)
  const groups = terms.all.map((_, group) => {
    const said = fit(inOwn, group) * OWN_WEIGHT
    const given = fit(inOther, group) * OTHER_WEIGHT
    return Math.max(said, given)
  })
  const score = groups.reduce((sum, group) => sum + group, 0) / Math.max(1, groups.length)
  const isOwn = inOwn.ranges.length > 0 || inOther.ranges.length === 0
  const isWhole = inOwn.whole && inOther.whole
  const isWrong = isWhole && groups.includes(0)
  return { isWrong, text: isOwn ? own : other, matches: isOwn ? inOwn : inOther, score: Number(score.toFixed(4)) }
}

function fit({ counts, words }: Matches, group: number): number {
  const count = counts[group] ?? 0
  const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * words) / USUAL_WORDS
  return count / (count + SATURATION * length)
}
