/**
 * Up to which revision a handle knows its session without a gap. Its own appends count as read only where nothing of others
 * lies before them; what it appended behind a gap is remembered, so that it is not taken for somebody else's.
 */
export class ReadUpTo {
  #revision: number
  readonly #own = new Set<number>()

  constructor(revision: number) {
    this.#revision = revision
  }

  get revision(): number {
    return this.#revision
  }

  /** Own events behind the gap. */
  get ownSince(): number {
    return this.#own.size
  }

  /** The handle appended `count` events, the last of them at `revision`. */
  appended(revision: number, count: number): void {
    for (let own = revision - count + 1; own <= revision; own += 1) if (own > this.#revision) this.#own.add(own)
    this.#close()
  }

  /** The handle read everything up to `revision`. */
  read(revision: number): void {
    if (revision <= this.#revision) return
    this.#revision = revision
    for (const own of this.#own) if (own <= revision) this.#own.delete(own)
    this.#close()
  }

  #close(): void {
    while (this.#own.delete(this.#revision + 1)) this.#revision += 1
  }
}
