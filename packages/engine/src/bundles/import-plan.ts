import {
  isIdentifier,
  isKnown,
  parseSessionStream,
  sessionStream,
  type AnyRecorded,
  type DeclaredStream,
  type EventStore,
  type RawEvent,
  type StreamHead,
} from '@refold/events'
import { basisOf } from '../integrity/bases.ts'
import { blobsOfRaw } from '../integrity/blob-check.ts'
import type { BundleWatcher } from './check-bundle.ts'

export type ConflictCode = 'diverged' | 'id-taken' | 'bad-id'

/** A session of the file that cannot be taken, and why. */
export interface BundleConflict {
  readonly code: ConflictCode
  readonly session: string
  /** The id that is another's, or the session that went another way here. */
  readonly about: string
}

/** A stream that the file holds, against what the log holds of it. */
export interface PlannedStream {
  readonly declared: DeclaredStream
  readonly session: string
  /** Its end in the log, before the import. */
  readonly head: StreamHead | undefined
  /** Another stream from whose beginning this session is shown. */
  basis: string | undefined
  conflict: BundleConflict | undefined
  /** Ids that only this session may have: its own and its segments'. */
  readonly ids: string[]
  /** Blobs that its new events refer to: no others are written, so that nothing that was erased comes back. */
  readonly blobs: Set<string>
}

/** Finds out, while a file is checked, what of it is new to a log. */
export class ImportPlan implements BundleWatcher {
  readonly streams: Map<string, PlannedStream> = new Map()
  readonly #store: EventStore
  readonly #namespace: string

  constructor(store: EventStore, namespace: string) {
    this.#store = store
    this.#namespace = namespace
  }

  async declared(declared: DeclaredStream): Promise<void> {
    const { stream } = declared
    const address = parseSessionStream(stream)
    const isOurs =
      address?.namespace === this.#namespace && isIdentifier(address.session) && sessionStream(address) === stream
    const session = address?.session ?? stream
    const head = await this.#store.head(stream)
    const planned: PlannedStream = {
      declared,
      session,
      head,
      basis: undefined,
      conflict: isOurs ? undefined : { code: 'bad-id', session, about: session },
      ids: [session],
      blobs: new Set(),
    }
    this.streams.set(stream, planned)
    if (!head || head.revision < declared.revision) return
    // The log holds at least as much: then the file must be its beginning.
    const [here] = await this.#store.readRaw(stream, { from: declared.revision, limit: 1 })
    if (here?.hash !== declared.hash) diverge(planned)
  }

  event(raw: RawEvent, event: AnyRecorded): void {
    const planned = this.streams.get(raw.stream)
    if (!planned) return
    if (raw.revision === 0) planned.basis = basisOf(raw)?.stream
    if (isKnown(event) && event.type === 'Rotated') planned.ids.push(event.data.to)
    const known = planned.head?.revision ?? -1
    if (raw.revision === known && raw.hash !== planned.head?.hash) diverge(planned)
    if (raw.revision <= known) return
    const { texts, attachments } = blobsOfRaw(raw)
    for (const hash of [...texts, ...attachments]) planned.blobs.add(hash)
  }

  /** A session cannot be shown from a beginning that is not the one it was shown from. */
  spreadConflicts(): void {
    for (let found = true; found;) {
      found = false
      for (const planned of this.streams.values()) {
        const origin = planned.basis === undefined ? undefined : this.streams.get(planned.basis)
        if (planned.conflict || !origin?.conflict) continue
        planned.conflict = { ...origin.conflict, session: planned.session }
        found = true
      }
    }
  }

  get accepted(): readonly PlannedStream[] {
    return [...this.streams.values()].filter(({ conflict }) => conflict === undefined)
  }

  get conflicts(): readonly BundleConflict[] {
    return [...this.streams.values()].flatMap(({ conflict }) => conflict ?? [])
  }
}

function diverge(planned: PlannedStream): void {
  planned.conflict ??= { code: 'diverged', session: planned.session, about: planned.session }
}
