import {
  importedEventId,
  isKnown,
  messageEventId,
  sessionStream,
  type Blob,
  type SessionEvent,
  type Sha256,
} from '@refold/events'
import type { ImportedFact } from '@refold/engine'
import type { ImportTarget } from './history-report.ts'
import type { ImportedLog } from './imported-log.ts'
import type { Tally } from './tally.ts'

/** Facts of one append: short enough that nobody waits long for the log, long enough to be quick. */
const MOST_FACTS = 200
const PAGE = 1_000
const MOST_CHARACTERS = 1 << 20

/** A native record, what of it is told, and its value: what an event's id derives from. */
export interface FactName {
  readonly record: string
  readonly aspect: string
  readonly value?: string
}

export interface WriterPlace {
  readonly engine: ImportTarget
  readonly tool: string
  readonly sha256: Sha256
  readonly tally: Tally
  readonly signal: AbortSignal | undefined
}

/** Appends to one session what its log does not hold, in batches. */
export class SessionWriter {
  readonly session: string
  readonly log: ImportedLog
  readonly place: WriterPlace
  readonly #stream: string
  readonly #source: string
  /** Ids of what this import added. */
  readonly #written = new Set<string>()
  #facts: ImportedFact[] = []
  #blobs: Blob[] = []
  #characters = 0
  #revision: number
  #settled: number

  constructor(place: WriterPlace, session: string, log: ImportedLog, source: string, revision: number) {
    this.place = place
    this.session = session
    this.log = log
    this.#source = log.source ?? source
    this.#stream = sessionStream({ namespace: place.engine.namespace, session })
    this.#revision = revision
    this.#settled = revision
  }

  idOf({ record, aspect, value = '' }: FactName): string {
    const { tool, sha256 } = this.place
    return importedEventId(sha256, this.#stream, { tool, source: this.#source, record, aspect, value })
  }

  /** A fact that is written once and never replaced. */
  async put(name: FactName, event: SessionEvent): Promise<void> {
    await this.#put(this.idOf(name), event)
  }

  async putMessage(
    event: Extract<SessionEvent, { readonly type: 'MessageAppended' }>,
    blobs: readonly Blob[],
  ): Promise<void> {
    const id = messageEventId(this.place.sha256, this.#stream, event.data.id)
    if (!this.log.has(id)) this.#blobs.push(...blobs)
    await this.#put(id, event)
  }

  /**
   * Keeps a value the same as the source's: where that changed since the last import and nobody changed it here. The
   * occurrence belongs to the id, so that a value can come back. Returns false where a value that was set here stands.
   */
  async follow(slot: string, value: string, event: SessionEvent): Promise<boolean> {
    const known = this.log.slot(slot)
    if (this.isCurrent(slot, value)) {
      if (!this.#written.has(known?.lastImportId ?? '')) this.place.tally.alreadyThere += 1
      return true
    }
    if (known !== undefined && known.value !== (known.lastImportValue ?? '')) return false
    await this.#put(this.#occurrence(slot, value, known?.imports ?? 0), event)
    return true
  }

  /** Whether the source had this value at the last import already. */
  isCurrent(slot: string, value: string): boolean {
    const known = this.log.slot(slot)
    return (
      known !== undefined &&
      known.imports > 0 &&
      known.lastImportId === this.#occurrence(slot, value, known.imports - 1)
    )
  }

  /** Whether any import ever set that value. */
  isFollowed(slot: string): boolean {
    return (this.log.slot(slot)?.imports ?? 0) > 0
  }

  /** Writes what waits and takes note of what others wrote meanwhile; gives the revision up to which all is known. */
  async settle(): Promise<number> {
    await this.flush()
    const { store } = this.place.engine
    for (;;) {
      const page = await store.readStream(this.#stream, { from: this.#settled + 1, limit: PAGE })
      for (const event of page)
        if (isKnown(event) && !this.log.has(event.id))
          this.log.add(event, { id: event.id, isImported: false, revision: event.revision })
      this.#settled += page.length
      this.#revision = Math.max(this.#revision, this.#settled)
      if (page.length < PAGE) return this.#settled
    }
  }

  /** Writes what waits; gives the revision of the session's last event. */
  async flush(): Promise<number> {
    if (this.#facts.length === 0) return this.#revision
    const { engine, tool, tally, signal } = this.place
    signal?.throwIfAborted()
    const [facts, blobs] = [this.#facts, this.#blobs]
    this.#facts = []
    this.#blobs = []
    this.#characters = 0
    const report = await engine.importFacts({ tool, sessions: [{ session: this.session, facts }], blobs })
    tally.events += report.appended
    tally.messages += report.messages
    tally.alreadyThere += report.alreadyThere
    for (const { code, session, about, instead } of report.warnings)
      tally.warn(code, about === session ? `sessions/${session}` : `sessions/${session}: ${about}`, instead)
    this.#revision = report.revisions[this.session] ?? this.#revision
    return this.#revision
  }

  #occurrence(slot: string, value: string, count: number): string {
    return this.idOf({ record: this.#source, aspect: slot, value: `${count} ${value}` })
  }

  async #put(id: string, event: SessionEvent): Promise<void> {
    if (this.log.has(id)) {
      this.place.tally.alreadyThere += 1
      return
    }
    this.#written.add(id)
    this.log.add(event, { id, isImported: true, revision: this.#revision })
    this.#facts.push({ id, event })
    this.#characters += JSON.stringify(event.data).length
    if (this.#facts.length >= MOST_FACTS || this.#characters >= MOST_CHARACTERS) await this.flush()
  }
}
