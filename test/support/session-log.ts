import {
  encodeEvent,
  sessionStream,
  type Actor,
  type AnyRecorded,
  type MessageAppended,
  type Recorded,
  type SessionEvent,
} from '@refold/events'
import { fold, plainRows, tables, type TableRows, type Tables } from '@refold/projections'

export const person: Actor = { kind: 'person', id: 'ada' }
export const importer: Actor = { kind: 'importer', id: 'hermes' }

/** 2026-06-19T13:00:00Z; events follow each other by a second unless a test says otherwise. */
export const START: number = Date.UTC(2026, 5, 19, 13)

export interface Said {
  readonly session: string
  readonly event: SessionEvent
  readonly recordedAt?: number
  readonly actor?: Actor
  readonly namespace?: string
}

export const streamOf = (session: string, namespace = 'default'): string => sessionStream({ namespace, session })

/** A log in memory, folded as it grows. Checks every event against its schema, so that tests say only what can be said. */
export class SessionLog {
  readonly events: Recorded[] = []
  readonly rows: TableRows = plainRows<Tables>(tables)
  readonly #heads = new Map<string, number>()

  add(session: string, event: SessionEvent, more: Omit<Said, 'session' | 'event'> = {}): Recorded {
    encodeEvent(event)
    const stream = streamOf(session, more.namespace)
    const revision = (this.#heads.get(stream) ?? -1) + 1
    this.#heads.set(stream, revision)
    const position = this.events.length + 1
    const recorded: Recorded = {
      ...event,
      id: position.toString(16).padStart(32, '0'),
      stream,
      revision,
      position,
      recordedAt: more.recordedAt ?? START + position * 1000,
      actor: more.actor ?? person,
      version: 1,
      hash: '0'.repeat(64),
    }
    return this.addRecorded(recorded)
  }

  addRecorded(recorded: Recorded): Recorded {
    this.events.push(recorded)
    fold(recorded, this.rows)
    return recorded
  }

  addAll(said: readonly Said[]): this {
    for (const { session, event, ...more } of said) this.add(session, event, more)
    return this
  }

  /** Revision of a session's last event. */
  head(session: string): number {
    return this.#heads.get(streamOf(session)) ?? -1
  }

  eventAt(ref: { readonly stream: string; readonly revision: number }): AnyRecorded | undefined {
    return this.events.find((event) => event.stream === ref.stream && event.revision === ref.revision)
  }
}

export const started = (session: string, more: object = {}): SessionEvent => ({
  type: 'SessionStarted',
  data: { session, origin: { kind: 'root' }, ...more },
})

type MessageFields = Partial<MessageAppended['data']>

const message = (id: string, said: string, fields: MessageFields): SessionEvent => ({
  type: 'MessageAppended',
  data: {
    id,
    role: 'user',
    parts: [{ type: 'text', text: said }],
    provenance: 'person',
    shownTo: 'both',
    ...fields,
  },
})

export const asks = (id: string, said: string = id, fields: MessageFields = {}): SessionEvent =>
  message(id, said, fields)

export const answers = (id: string, said: string = id, fields: MessageFields = {}): SessionEvent =>
  message(id, said, { role: 'assistant', provenance: 'model', ...fields })

export const calls = (id: string, ...callIds: readonly string[]): SessionEvent =>
  answers(id, id, {
    parts: callIds.map((call) => ({ type: 'tool-call', id: call, name: 'bash', arguments: {} })),
  })

export const returns = (id: string, callId: string, output: string = id): SessionEvent =>
  message(id, output, {
    role: 'tool',
    provenance: 'tool',
    parts: [{ type: 'tool-result', toolCallId: callId, text: output }],
  })

export const rewound = (undoId: string, lastThatStays: string | null): SessionEvent => ({
  type: 'Rewound',
  data: { undoId, lastThatStays, reason: 'rewind' },
})

export const undone = (undoId: string, newUndoId: string): SessionEvent => ({
  type: 'RewindUndone',
  data: { undoId, newUndoId },
})

export const compacted = (
  compactionId: string,
  watermark: number,
  kept: readonly string[] = [],
  more: object = {},
): SessionEvent => ({
  type: 'Compacted',
  data: {
    compactionId,
    base: watermark,
    watermark,
    held: '',
    kept,
    summary: `summary ${compactionId}`,
    summaryRole: 'user',
    wireForms: [],
    covers: 1,
    sizes: { bytesBefore: 2, bytesAfter: 1 },
    ...more,
  },
})

/** A branch of `origin` after the message that first appeared there at `revision`; the origin's head as of `asOf`. */
export const branched = (
  session: string,
  origin: string,
  asOf: number,
  through: string | null,
  kind: 'branch' | 'stray' = 'branch',
): SessionEvent =>
  started(session, {
    origin: {
      kind,
      session: origin,
      cut: { asOf, through: through === null ? null : { message: through, session: origin, revision: 0 } },
    },
  })

export const delegated = (session: string, parent: string | null): SessionEvent =>
  started(session, { origin: { kind: 'delegate', session: parent } })

export const renamed = (
  title: string | null,
  by: 'person' | 'model' | 'branch' | 'derived' = 'person',
): SessionEvent => ({
  type: 'Renamed',
  data: { title, by },
})

export const deleted = (deletionId: string, seed: string, along: readonly string[] = []): SessionEvent => ({
  type: 'Deleted',
  data: { deletionId, seed, along },
})

export const restored = (deletionId: string, title: string | null = null): SessionEvent => ({
  type: 'Restored',
  data: { deletionId, title },
})
