import type { ChainProblem } from '@refold/events'

export type BundleProblem =
  | ChainProblem
  /** A line is no JSON, or none of an export. */
  | 'malformed'
  /** The file ends before its end. */
  | 'truncated'
  /** It says how much it holds, or its digest, and that is not so. */
  | 'other-count'
  /** It was written by a later version. */
  | 'newer'

/** What is wrong with an exported file, and in which line, counted from 1. */
export class BundleBroken extends Error {
  override readonly name = 'BundleBroken'
  readonly code = 'bundle-broken'
  readonly line: number
  readonly problem: BundleProblem
  readonly stream: string | null
  readonly revision: number | null

  constructor(
    line: number,
    problem: BundleProblem,
    words: string,
    place: { readonly stream?: string; readonly revision?: number } = {},
    options?: ErrorOptions,
  ) {
    super(`Line ${line}: ${words}`, options)
    this.line = line
    this.problem = problem
    this.stream = place.stream ?? null
    this.revision = place.revision ?? null
  }
}
