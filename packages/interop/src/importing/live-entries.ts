import type { SessionEvent } from '@refold/events'

/**
 * A session's own messages and notes that the model is sent, were its newest summary to stand: what a compaction that
 * covers only some of them must keep.
 */
export class LiveEntries {
  readonly #revisions = new Map<string, number>()

  add(event: SessionEvent, revision: number): void {
    if (event.type === 'MessageAppended' && event.data.shownTo !== 'person') this.#come(event.data.id, revision)
    if (event.type === 'Noted' && (event.data.shownTo === 'model' || event.data.shownTo === 'both'))
      this.#come(event.data.note, revision)
    if (event.type !== 'Compacted') return
    const kept = new Set(event.data.kept)
    for (const [id, since] of this.#revisions)
      if (since <= event.data.watermark && !kept.has(id)) this.#revisions.delete(id)
  }

  /** In the order in which they came. */
  ids(): readonly string[] {
    return [...this.#revisions.keys()]
  }

  #come(id: string, revision: number): void {
    if (!this.#revisions.has(id)) this.#revisions.set(id, revision)
  }
}
