import type { SessionEvent } from '@refold/events'

interface Rewind {
  readonly undoId: string
  readonly only: readonly string[]
  isOpen: boolean
}

/** Which messages imports hid, and which of them somebody brought back here, which then stands. */
export class ImportedRewinds {
  readonly #rewinds = new Map<string, Rewind>()
  readonly #released = new Set<string>()
  #hidden = new Set<string>()

  add(event: SessionEvent, isImported: boolean): void {
    if (event.type === 'Rewound' && isImported) {
      const { undoId, only = [] } = event.data
      if (this.#rewinds.has(undoId)) return
      this.#rewinds.set(undoId, { undoId, only, isOpen: true })
      for (const id of only) this.#hidden.add(id)
    } else if (event.type === 'RewindUndone') {
      const rewind = this.#rewinds.get(event.data.undoId)
      if (!rewind?.isOpen) return
      rewind.isOpen = false
      if (!isImported) for (const id of rewind.only) this.#released.add(id)
      this.#hidden = new Set([...this.#rewinds.values()].filter(({ isOpen }) => isOpen).flatMap(({ only }) => only))
    }
  }

  get count(): number {
    return this.#rewinds.size
  }

  isHidden(message: string): boolean {
    return this.#hidden.has(message)
  }

  /** Of these, the ones that an import may still hide. */
  hideable(messages: readonly string[]): readonly string[] {
    return messages.filter((id) => !this.#hidden.has(id) && !this.#released.has(id))
  }

  /** Open rewinds that hide any of these. */
  over(isShown: (message: string) => boolean): readonly string[] {
    return [...this.#rewinds.values()].filter(({ isOpen, only }) => isOpen && only.some(isShown)).map((r) => r.undoId)
  }
}
