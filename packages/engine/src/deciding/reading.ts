import type { AnyRecorded, StreamHead, StreamRange } from '@refold/events'
import type { ClaimState } from './claim-state.ts'
import type { SessionState } from './session-state.ts'

/** Something that a handler wants to know of the log. Whoever runs the handler answers by calling `reply`. */
export type Ask =
  | { readonly kind: 'session'; readonly stream: string; readonly reply: (state: SessionState) => void }
  | { readonly kind: 'claim'; readonly stream: string; readonly reply: (state: ClaimState) => void }
  | { readonly kind: 'head'; readonly stream: string; readonly reply: (head: StreamHead | undefined) => void }
  | {
      readonly kind: 'find'
      readonly stream: string
      readonly eventId: string
      readonly reply: (event: AnyRecorded | undefined) => void
    }
  | {
      readonly kind: 'events'
      readonly stream: string
      readonly range: StreamRange
      readonly reply: (events: readonly AnyRecorded[]) => void
    }

/**
 * A computation that reads the log as it goes. One text runs inside a transaction, where each read is answered at once,
 * and over a store that has to be waited for.
 */
export type Reading<T> = Generator<Ask, T, void>

/** The reads, to be used as `yield* read.session(stream)`. */
export const read: {
  session(stream: string): Reading<SessionState>
  claim(stream: string): Reading<ClaimState>
  head(stream: string): Reading<StreamHead | undefined>
  find(stream: string, eventId: string): Reading<AnyRecorded | undefined>
  events(stream: string, range: StreamRange): Reading<readonly AnyRecorded[]>
} = {
  *session(stream) {
    const box = new Box<SessionState>()
    yield { kind: 'session', stream, reply: box.put }
    return box.take()
  },
  *claim(stream) {
    const box = new Box<ClaimState>()
    yield { kind: 'claim', stream, reply: box.put }
    return box.take()
  },
  *head(stream) {
    const box = new Box<StreamHead | undefined>()
    yield { kind: 'head', stream, reply: box.put }
    return box.take()
  },
  *find(stream, eventId) {
    const box = new Box<AnyRecorded | undefined>()
    yield { kind: 'find', stream, eventId, reply: box.put }
    return box.take()
  },
  *events(stream, range) {
    const box = new Box<readonly AnyRecorded[]>()
    yield { kind: 'events', stream, range, reply: box.put }
    return box.take()
  },
}

/** Carries one answer back into the generator that asked, with its type. */
class Box<T> {
  #held: { readonly value: T } | undefined

  readonly put = (value: T): void => {
    this.#held = { value }
  }

  take(): T {
    if (!this.#held) throw new TypeError('A handler was run on without its answer.')
    return this.#held.value
  }
}
