import type { FeedMessage } from '@refold/projections'
import type { Feed } from './watch-query.ts'
import type { Watched } from './watched.ts'

/** One follower of a watched answer: a number of a message, and nothing else. */
export class WatchFeed implements Feed<FeedMessage> {
  readonly #watched: Watched
  readonly #whenClosed: () => void
  readonly #messages: AsyncGenerator<FeedMessage, void, undefined>
  #after: string | undefined
  #closed = false
  #wake: () => void = () => {}

  constructor(watched: Watched, after: string | undefined, whenClosed: () => void) {
    this.#watched = watched
    this.#after = after
    this.#whenClosed = whenClosed
    this.#messages = this.#follow()
  }

  [Symbol.asyncIterator](): AsyncIterator<FeedMessage, void, undefined> {
    return this.#messages
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#whenClosed()
    this.#wake()
  }

  async *#follow(): AsyncGenerator<FeedMessage, void, undefined> {
    try {
      let number = this.#after === undefined ? undefined : this.#watched.behind(this.#after)
      while (!this.#closed) {
        if (this.#watched.problem) throw this.#watched.problem.thrown
        const told = this.#watched.message(number)
        if (told) {
          number = told.next
          yield told.message
        } else await this.#news()
      }
    } finally {
      this.close()
    }
  }

  async #news(): Promise<void> {
    await new Promise<void>((resolve) => {
      const stop = this.#watched.onMessage(resolve)
      this.#wake = () => {
        stop()
        resolve()
      }
    })
    this.#wake()
  }
}
