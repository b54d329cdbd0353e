import { setTimeout as sleep } from 'node:timers/promises'
import { isRefoldError } from '@refold/events'
import type { FeedMessage } from '@refold/projections'
import type { ReadingPlace } from '../reading/reading-side.ts'
import type { Refusal } from '../refusal.ts'
import type { Checkpoint } from '../views/views.ts'
import { planAnswer, type PlannedAnswer } from './watched-answer.ts'
import { Watched } from './watched.ts'
import { WatchFeed } from './watch-feed.ts'
import type { Feed, WatchOptions, WatchQuery } from './watch-query.ts'

/** Commits within this time are told as one change. */
const BURST_MS = 20
/** How long an answer is kept up to date for followers that come back. */
const LINGER_MS = 30_000
/** Longest wait that a timer can be set to. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Keeps the answers of all watched queries up to date: equal queries share one. After a commit, by whatever process, one
 * read of rows finds what each query answers now.
 */
export class WatchHub {
  readonly #place: ReadingPlace
  readonly #watched = new Map<string, Watched>()
  readonly #feeds = new Set<WatchFeed>()
  #stopListening: (() => void) | undefined
  #isRunning = false
  /** A round is due, also while one is under way. */
  #isStale = false
  /** Rounds that have begun. */
  #begun = 0
  #waiting: { readonly round: number; readonly resolve: () => void }[] = []
  #alarm: NodeJS.Timeout | undefined
  #closed = false

  constructor(place: ReadingPlace) {
    this.#place = place
  }

  /** Begins with what is known once all commits so far are folded. */
  async watch(query: WatchQuery, { after, signal }: WatchOptions = {}): Promise<Feed<FeedMessage>> {
    const watched = this.#watchedFor(query)
    watched.followers += 1
    const stop = (): void => feed.close()
    const feed = new WatchFeed(watched, after, () => {
      // A signal may outlive many feeds.
      signal?.removeEventListener('abort', stop)
      this.#left(watched, feed)
    })
    this.#feeds.add(feed)
    // Before the wait, for it may fire meanwhile.
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted === true || this.#closed) feed.close()
    else await this.#upToDate()
    return feed
  }

  close(): void {
    this.#closed = true
    for (const feed of this.#feeds) feed.close()
    this.#watched.clear()
    this.#rest()
    this.#release(Infinity)
  }

  #watchedFor(query: WatchQuery): Watched {
    const key = JSON.stringify(Object.entries(query).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    const known = this.#watched.get(key)
    if (known) return known
    const watched = new Watched((rows, now) => planAnswer(this.#place, query, rows, now))
    this.#watched.set(key, watched)
    this.#stopListening ??= this.#place.store.onCommit(() => this.#refresh())
    return watched
  }

  #left(watched: Watched, feed: WatchFeed): void {
    this.#feeds.delete(feed)
    watched.followers -= 1
    if (watched.followers === 0) setTimeout(() => this.#forget(watched), LINGER_MS).unref()
  }

  #forget(watched: Watched): void {
    if (watched.followers > 0 && !watched.problem) return
    for (const [key, one] of this.#watched) if (one === watched) this.#watched.delete(key)
    if (this.#watched.size === 0) this.#rest()
  }

  #rest(): void {
    this.#stopListening?.()
    this.#stopListening = undefined
    clearTimeout(this.#alarm)
  }

  /** Waits until a round is over that began after this call. */
  async #upToDate(): Promise<void> {
    const over = new Promise<void>((resolve) => this.#waiting.push({ round: this.#begun + 1, resolve }))
    this.#refresh()
    await over
  }

  #release(upTo: number): void {
    for (const { round, resolve } of this.#waiting) if (round <= upTo) resolve()
    this.#waiting = this.#waiting.filter(({ round }) => round > upTo)
  }

  #refresh(): void {
    this.#isStale = true
    if (!this.#isRunning) void this.#run()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#isStale && !this.#closed) {
      this.#isStale = false
      this.#begun += 1
      const begun = performance.now()
      await this.#tellAll()
      this.#release(this.#begun)
      // A round that takes long is followed by as long a rest, in which more commits come together.
      await sleep(Math.max(BURST_MS, performance.now() - begun), undefined, { ref: false })
    }
    this.#isRunning = false
  }

  async #tellAll(): Promise<void> {
    const { source, views } = this.#place
    const now = source.now()
    try {
      const { checkpoint, answers } = await views.read((rows, checkpoint) => ({
        checkpoint,
        answers: [...this.#watched.values()].map((watched) => ({ watched, answer: watched.look(rows, now) })),
      }))
      for (const { watched, answer } of answers) if (answer) await this.#tell(watched, checkpoint, answer)
      this.#setAlarm(now)
    } catch (problem) {
      // Another process holds the views for a while; what it has done by then is told next time.
      if (isRefoldError(problem, 'views-behind')) this.#isStale = true
      else for (const watched of this.#watched.values()) this.#fail(watched, problem)
    }
  }

  async #tell(watched: Watched, checkpoint: Checkpoint, answer: PlannedAnswer | Refusal): Promise<void> {
    try {
      watched.publish(checkpoint, answer.ok ? await answer.value() : answer)
    } catch (problem) {
      this.#fail(watched, problem)
    }
  }

  /** Whoever watches it again begins anew. */
  #fail(watched: Watched, problem: unknown): void {
    watched.fail(problem)
    this.#forget(watched)
  }

  /** An answer that the clock changes is looked at when it does. */
  #setAlarm(now: number): void {
    clearTimeout(this.#alarm)
    const until = Math.min(...[...this.#watched.values()].map((watched) => watched.until))
    if (until === Infinity || this.#closed) return
    this.#alarm = setTimeout(() => this.#refresh(), Math.min(until - now, LONGEST_MS)).unref()
  }
}
