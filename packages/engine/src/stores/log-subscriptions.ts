import type { Subscription } from '@refold/events'
import { LogSubscription, type FollowedLog } from './log-subscription.ts'

/** The subscriptions of one store, which end with it. */
export class LogSubscriptions {
  readonly #log: FollowedLog
  readonly #open = new Set<Subscription>()

  constructor(log: FollowedLog) {
    this.#log = log
  }

  begin({ after }: { readonly after: number }): Subscription {
    const subscription = new LogSubscription(this.#log, after, () => this.#open.delete(subscription))
    this.#open.add(subscription)
    return subscription
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((subscription) => subscription.close()))
  }
}
