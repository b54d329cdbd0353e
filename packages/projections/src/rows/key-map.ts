import type { Scalar } from './port.ts'

/** A map by several values, one level of maps for each: no key has to be put together, and a prefix shares its level. */
export class KeyMap<V extends object> {
  readonly #width: number
  /** The values at the last level, the next level's maps above it. */
  readonly #entries = new Map<Scalar, V | KeyMap<V>>()

  constructor(width: number) {
    this.#width = width
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: readonly Scalar[]): V | undefined {
    let entry: V | KeyMap<V> | undefined = this.#entries.get(key[0] ?? null)
    for (let at = 1; entry instanceof KeyMap; at += 1) entry = entry.#entries.get(key[at] ?? null)
    return entry
  }

  set(key: readonly Scalar[], value: V, at = 0): void {
    const here = key[at] ?? null
    if (at === this.#width - 1) {
      this.#entries.set(here, value)
      return
    }
    const known = this.#entries.get(here)
    const level = known instanceof KeyMap ? known : new KeyMap<V>(this.#width)
    if (level !== known) this.#entries.set(here, level)
    level.set(key, value, at + 1)
  }

  delete(key: readonly Scalar[], at = 0): void {
    const here = key[at] ?? null
    const entry = this.#entries.get(here)
    if (!(entry instanceof KeyMap)) {
      this.#entries.delete(here)
      return
    }
    entry.delete(key, at + 1)
    if (entry.size === 0) this.#entries.delete(here)
  }

  clear(): void {
    this.#entries.clear()
  }

  *values(): Generator<V> {
    for (const entry of this.#entries.values()) {
      if (entry instanceof KeyMap) yield* entry.values()
      else yield entry
    }
  }
}
