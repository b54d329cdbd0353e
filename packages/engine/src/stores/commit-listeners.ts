/** Who wants to know of commits. Watching for them costs something, so it can be begun and ended with the audience. */
export class CommitListeners {
  readonly #listeners = new Set<() => void>()
  readonly #audience: { readonly arrives: () => void; readonly leaves: () => void } | undefined

  constructor(audience?: { readonly arrives: () => void; readonly leaves: () => void }) {
    this.#audience = audience
  }

  /** Returns how to stop; safe to call twice. */
  listen(listener: () => void): () => void {
    const entry = (): void => listener()
    this.#listeners.add(entry)
    if (this.#listeners.size === 1) this.#audience?.arrives()
    return () => {
      if (this.#listeners.delete(entry) && this.#listeners.size === 0) this.#audience?.leaves()
    }
  }

  /** A listener that throws neither keeps the others from hearing nor the commit from being acknowledged. */
  notify(): void {
    for (const listener of this.#listeners) {
      try {
        listener()
      } catch (problem) {
        queueMicrotask(() => {
          throw problem
        })
      }
    }
  }
}
