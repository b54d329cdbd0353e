/** Lets pieces of asynchronous work run one after another, in the order in which they were asked for. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<A>(work: () => Promise<A>): Promise<A> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => undefined)
    return turn
  }

  /** Resolves when all that was asked for so far has run. */
  async idle(): Promise<void> {
    await this.#last
  }
}
