import type { AppendResult, Expected, KeptEvent, ProposedEvent } from './kept-event.ts'

/** Ids that `any` and `stream-exists` recognise: a node remembers recent ones only. */
const REMEMBERED = 500

interface KeptStream {
  readonly events: KeptEvent[]
  /** Events below this revision were hidden by a delete. */
  hiddenBelow: number
  tombstoned: boolean
}

/** What a node keeps, and its rules for appends, deletes and reads. Everything happens at once, as on one node's writer. */
export class KeptLog {
  readonly events: KeptEvent[] = []
  readonly #limit: number
  readonly #streams = new Map<string, KeptStream>()
  readonly #listeners = new Set<() => void>()
  #end = 0

  /** `limit`: most bytes of one append, all its events together. */
  constructor(limit: number) {
    this.#limit = limit
  }

  append(stream: string, expected: Expected, proposed: readonly ProposedEvent[]): AppendResult {
    const kept = this.#streams.get(stream) ?? { events: [], hiddenBelow: 0, tombstoned: false }
    if (kept.tombstoned) return { kind: 'deleted' }
    const bytes = proposed.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0)
    if (bytes > this.#limit) return { kind: 'too-large', limit: this.#limit }
    const isHidden = kept.events.length > 0 && kept.hiddenBelow >= kept.events.length
    if (expected === 'stream-exists' && isHidden) return { kind: 'deleted' }
    const repeated = repeatOf(kept, expected, proposed, isHidden)
    if (repeated) return repeated
    const current = kept.events.at(-1)?.revision
    if (!isCurrent(expected, current, isHidden || current === undefined))
      return { kind: 'wrong-version', expected, current: isHidden ? undefined : current }
    this.#streams.set(stream, kept)
    for (const event of proposed) this.#keep(kept, stream, event)
    for (const listener of this.#listeners) listener()
    const last = kept.events.at(-1)
    return { kind: 'appended', revision: last?.revision, position: last?.position }
  }

  /** Hides all events so far; a tombstone for good. */
  delete(stream: string, expected: Expected, isFinal: boolean): AppendResult {
    const kept = this.#streams.get(stream) ?? { events: [], hiddenBelow: 0, tombstoned: false }
    if (kept.tombstoned) return { kind: 'deleted' }
    const current = kept.events.at(-1)?.revision
    const isMissing = kept.events.length <= kept.hiddenBelow
    if (!isCurrent(expected, current, isMissing))
      return { kind: 'wrong-version', expected, current: isMissing ? undefined : current }
    this.#streams.set(stream, kept)
    kept.hiddenBelow = kept.events.length
    kept.tombstoned = isFinal
    this.#end += 61
    return { kind: 'appended', revision: current, position: this.#end }
  }

  /** What a stream shows, oldest first; undefined where there is none. */
  stream(name: string): readonly KeptEvent[] | 'deleted' | undefined {
    const kept = this.#streams.get(name)
    if (kept?.tombstoned === true) return 'deleted'
    if (!kept) return undefined
    const { maxCount, truncateBefore } = this.#retention(name)
    const from = Math.max(kept.hiddenBelow, truncateBefore, kept.events.length - maxCount)
    return kept.hiddenBelow >= kept.events.length ? undefined : kept.events.slice(from)
  }

  onAppend(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #keep(kept: KeptStream, stream: string, event: ProposedEvent): void {
    // Uneven, so that nobody counts on one more.
    this.#end += 97 + event.data.length + ((this.events.length * 37) % 61)
    const created = `${Date.now()}0000`
    const one: KeptEvent = { ...event, stream, revision: kept.events.length, position: this.#end, created }
    kept.events.push(one)
    this.events.push(one)
  }

  #retention(name: string): { readonly maxCount: number; readonly truncateBefore: number } {
    const newest = this.#streams.get(`$$${name}`)?.events.at(-1)
    const written: unknown = newest ? JSON.parse(new TextDecoder().decode(newest.data)) : {}
    const field = (key: string, otherwise: number): number => {
      const value: unknown = typeof written === 'object' && written !== null ? Reflect.get(written, key) : undefined
      return typeof value === 'number' ? value : otherwise
    }
    return { maxCount: field('$maxCount', Infinity), truncateBefore: field('$tb', 0) }
  }
}

function isCurrent(expected: Expected, current: number | undefined, isMissing: boolean): boolean {
  if (expected === 'any') return true
  if (expected === 'no-stream') return isMissing
  if (expected === 'stream-exists') return !isMissing
  return current === expected
}

/** The answer to an append that was made before; undefined for one that was not. */
function repeatOf(
  { events }: KeptStream,
  expected: Expected,
  proposed: readonly ProposedEvent[],
  isHidden: boolean,
): AppendResult | undefined {
  const [first] = proposed
  if (!first) return undefined
  if (expected === 'any' || expected === 'stream-exists') {
    const recent = new Map(events.slice(-REMEMBERED).map((event) => [event.id, event]))
    const known = proposed.flatMap(({ id }) => recent.get(id) ?? [])
    if (known.length === 0) return undefined
    const last = known.at(-1)
    if (known.length < proposed.length || !last)
      return { kind: 'wrong-version', expected, current: events.at(-1)?.revision }
    return { kind: 'appended', revision: last.revision, position: last.position }
  }
  const from = expected === 'no-stream' ? 0 : expected + 1
  if (from >= events.length || isHidden) return undefined
  const there = events.slice(from, from + proposed.length)
  const isSame = there.length === proposed.length && there.every(({ id }, index) => id === proposed[index]?.id)
  const last = there.at(-1)
  return isSame && last ? { kind: 'appended', revision: last.revision, position: last.position } : undefined
}
