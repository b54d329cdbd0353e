import type { RawEvent } from '@refold/events'
import type { ListedHead } from './listed-heads.ts'
import type { FoundBreak } from './verify-report.ts'

/** Compares streams, as they are walked, with a list of heads that they once had. */
export class HeadsCheck {
  readonly #waiting: Map<string, ListedHead>

  constructor(heads: readonly ListedHead[]) {
    this.#waiting = new Map(heads.map((head) => [head.stream, head]))
  }

  /** Heads that were not met yet. */
  get size(): number {
    return this.#waiting.size
  }

  take({ stream, revision, position, hash }: RawEvent): FoundBreak | undefined {
    const head = this.#waiting.get(stream)
    if (head?.revision !== revision) return undefined
    this.#waiting.delete(stream)
    return head.hash === hash ? undefined : { stream, revision, position, problem: 'other-head' }
  }

  /** Heads that the walk did not come to, of these streams or of all. */
  *missing(streams?: ReadonlySet<string>): IterableIterator<FoundBreak> {
    for (const { stream, revision } of this.#waiting.values())
      if (streams === undefined || streams.has(stream)) yield { stream, revision, position: null, problem: 'truncated' }
  }
}
