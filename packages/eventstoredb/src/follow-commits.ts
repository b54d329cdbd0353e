import { setTimeout as sleep } from 'node:timers/promises'
import { END, streamNameFilter, type AllStreamSubscription, type EventStoreDBClient } from '@eventstore/db-client'
import type { Source } from '@refold/engine'
import { LOG_PREFIXES } from './log-names.ts'
import { waitBefore } from './patience.ts'

/**
 * Calls back soon after any node's commit. A subscription that breaks is made anew, and its listener is called once more:
 * what was committed meanwhile is found by reading, so nothing is missed.
 */
export class FollowCommits {
  readonly #client: EventStoreDBClient
  readonly #source: Source
  readonly #notify: () => void
  #subscription: AllStreamSubscription | undefined
  #isWanted = false
  #tried = 0

  constructor(client: EventStoreDBClient, source: Source, notify: () => void) {
    this.#client = client
    this.#source = source
    this.#notify = notify
  }

  start(): void {
    this.#isWanted = true
    this.#subscribe()
  }

  async stop(): Promise<void> {
    this.#isWanted = false
    const subscription = this.#subscription
    this.#subscription = undefined
    // Leaving it to itself would leave it open on the server.
    await subscription?.unsubscribe().catch(() => undefined)
  }

  #subscribe(): void {
    const filter = streamNameFilter({ prefixes: [...LOG_PREFIXES] })
    const subscription = this.#client.subscribeToAll({ fromPosition: END, filter })
    this.#subscription = subscription
    subscription.on('confirmation', () => {
      this.#tried = 0
      this.#notify()
    })
    subscription.on('data', () => this.#notify())
    subscription.on('error', () => void this.#again(subscription))
    subscription.on('close', () => void this.#again(subscription))
  }

  async #again(broken: AllStreamSubscription): Promise<void> {
    if (this.#subscription !== broken) return
    this.#subscription = undefined
    await sleep(waitBefore(this.#tried, this.#source), undefined, { ref: false })
    this.#tried += 1
    if (this.#isWanted && this.#subscription === undefined) this.#subscribe()
  }
}
