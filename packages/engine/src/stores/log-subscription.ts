import type { AnyRecorded, LogRange, Subscription } from '@refold/events'

/** Events read at once. */
const PAGE = 256

export interface FollowedLog {
  readAll(range: LogRange): Promise<readonly AnyRecorded[]>
  onCommit(listener: () => void): () => void
}

/**
 * Follows a log by reading it page by page, history and news alike: nothing is queued for a slow reader, so its memory
 * stays that of one page, and no event can be missed or told twice where history ends.
 */
export class LogSubscription implements Subscription {
  readonly #log: FollowedLog
  readonly #stopListening: () => void
  readonly #whenClosed: () => void
  readonly #events: AsyncGenerator<AnyRecorded, void, undefined>
  #after: number
  #closed = false
  #hasNews = true
  #wake: () => void = () => {}

  constructor(log: FollowedLog, after: number, whenClosed: () => void) {
    this.#log = log
    this.#after = after
    this.#whenClosed = whenClosed
    this.#events = this.#follow()
    this.#stopListening = log.onCommit(() => {
      this.#hasNews = true
      this.#wake()
    })
  }

  [Symbol.asyncIterator](): AsyncIterator<AnyRecorded, void, undefined> {
    return this.#events
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#stopListening()
    this.#whenClosed()
    this.#wake()
  }

  async *#follow(): AsyncGenerator<AnyRecorded, void, undefined> {
    try {
      while (!this.#closed) {
        this.#hasNews = false
        const page = await this.#nextPage()
        for (const event of page) {
          if (this.#closed) return
          this.#after = event.position
          yield event
        }
        if (page.length < PAGE) await this.#news()
      }
    } finally {
      await this.close()
    }
  }

  async #nextPage(): Promise<readonly AnyRecorded[]> {
    try {
      return await this.#log.readAll({ after: this.#after, limit: PAGE })
    } catch (problem) {
      if (this.#closed) return [] // the store was closed under this read
      throw problem
    }
  }

  async #news(): Promise<void> {
    if (this.#hasNews || this.#closed) return
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
  }
}
