import type { AnyRecorded, StreamHead } from '@refold/events'
import { read, type Reading } from './reading.ts'

/** Events read at a time when a state is folded. */
const PAGE = 500

/** A state as of one event of its stream. */
export interface Folded<S> extends StreamHead {
  readonly state: S
}

export interface StateFold<S> {
  readonly initial: S
  readonly evolve: (state: S, event: AnyRecorded) => S
  /** A state from elsewhere to start from, and where to put one when many events were folded. */
  readonly load?: (stream: string) => Folded<S> | undefined
  readonly folded?: (stream: string, folded: Folded<S>, events: number) => void
}

/**
 * The states of the streams last used. An entry is used only if the log has an event with its hash at its revision, and
 * is then brought up to the head: the chain makes that proof enough, so what another process wrote, a rolled-back
 * transaction and a restored backup are all noticed by the same comparison.
 */
export class StateCache<S> {
  readonly #fold: StateFold<S>
  readonly #capacity: number
  readonly #kept = new Map<string, Folded<S>>()

  constructor(fold: StateFold<S>, capacity: number) {
    this.#fold = fold
    this.#capacity = capacity
  }

  /** The state at the stream's head. */
  *load(stream: string): Reading<S> {
    const head = yield* read.head(stream)
    if (!head) return this.#fold.initial
    const known = this.#kept.get(stream) ?? this.#fold.load?.(stream)
    if (known && known.revision === head.revision && known.hash === head.hash) return this.#keep(stream, known).state
    const folded = (known && (yield* this.#foldFrom(stream, known))) ?? (yield* this.#foldFrom(stream, undefined))
    return folded ? this.#keep(stream, folded).state : this.#fold.initial
  }

  /** What is kept, as it is. */
  peek(stream: string): Folded<S> | undefined {
    return this.#kept.get(stream)
  }

  /** Events just appended: brings along the states that they follow directly. */
  follow(events: readonly AnyRecorded[]): void {
    for (const event of events) {
      const known = this.#kept.get(event.stream)
      if (known?.revision === event.revision - 1) this.#keep(event.stream, this.#next(known, event))
      else if (event.revision === 0) this.#keep(event.stream, this.#next(undefined, event))
    }
  }

  /** Undefined when the stream has no event with the start's hash at its revision. */
  *#foldFrom(stream: string, start: Folded<S> | undefined): Reading<Folded<S> | undefined> {
    let folded = start
    let count = 0
    for (;;) {
      const events = yield* read.events(stream, { from: folded ? folded.revision : 0, limit: PAGE })
      const [first] = events
      if (folded && (first?.revision !== folded.revision || first.hash !== folded.hash)) return undefined
      for (const event of folded ? events.slice(1) : events) {
        folded = this.#next(folded, event)
        count += 1
      }
      if (events.length < PAGE) break
    }
    if (folded) this.#fold.folded?.(stream, folded, count)
    return folded
  }

  #next(folded: Folded<S> | undefined, event: AnyRecorded): Folded<S> {
    const state = this.#fold.evolve(folded ? folded.state : this.#fold.initial, event)
    return { revision: event.revision, hash: event.hash, state }
  }

  #keep(stream: string, folded: Folded<S>): Folded<S> {
    this.#kept.delete(stream)
    this.#kept.set(stream, folded)
    if (this.#kept.size > this.#capacity) {
      const [oldest] = this.#kept.keys()
      if (oldest !== undefined) this.#kept.delete(oldest)
    }
    return folded
  }
}
