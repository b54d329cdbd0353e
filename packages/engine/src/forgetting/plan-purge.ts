import { sessionStream, type EventStore, type RawEvent } from '@refold/events'
import { childrenOf, neededByHeirs } from '@refold/projections'
import { blobHashesIn } from '../content/blobs-in.ts'
import type { SessionPlace } from '../facade/session.ts'
import { rawLog, rawStream } from '../integrity/raw-pages.ts'
import { refuse, type Refusal } from '../refusal.ts'
import { sessionById } from '../facade/resolve.ts'
import { maskedPayload } from './masked-payload.ts'
import type { KeptOfPurge } from './purge-answer.ts'

export interface PlannedErasure {
  readonly event: RawEvent
  readonly masked: string
}

export interface PlannedPurge {
  readonly ok: true
  /** Position of the log's last event as of which all of this holds. */
  readonly position: number
  readonly sessions: readonly string[]
  /** By stream; none for what was purged before. */
  readonly erasures: ReadonlyMap<string, readonly PlannedErasure[]>
  readonly kept: readonly (KeptOfPurge & { readonly stream: string })[]
  readonly blobs: readonly string[]
}

/**
 * What purging these sessions takes, as of one moment of the log. Reads the whole log once where blobs are concerned: any
 * event may refer to one.
 */
export async function planPurge(place: SessionPlace, names: readonly string[]): Promise<PlannedPurge | Refusal> {
  const { store } = place.driver
  const { position } = await store.logHead()
  const seeds = new Map<string, string>()
  for (const name of names) {
    const found = await sessionById(place, name)
    if (!found) return refuse('session-not-found', { name })
    seeds.set(sessionStream({ namespace: place.namespace, session: found.session }), found.session)
  }
  const rows = await place.reading.rows((tables) => {
    for (const [stream, session] of seeds) if (tables.tips.get(stream)?.deleted !== true) return { living: session }
    const taken = new Map(seeds)
    for (const parent of taken.keys())
      for (const { stream, session, kind } of childrenOf(tables, parent))
        if (kind === 'delegate' && tables.tips.get(stream)?.deleted === true) taken.set(stream, session)
    const done = [...taken.keys()].filter((stream) => tables.tips.get(stream)?.purged === true)
    return { taken, done: new Set(done), needed: neededByHeirs(tables, new Set(taken.keys())) }
  })
  if ('living' in rows) return refuse('not-deleted', { session: rows.living })
  const needed = new Map(rows.needed.map((one) => [`${one.revision} ${one.stream}`, one.by]))
  const erasures = new Map<string, readonly PlannedErasure[]>()
  const kept: (KeptOfPurge & { readonly stream: string })[] = []
  for (const [stream, session] of rows.taken) {
    if (rows.done.has(stream)) continue
    const own: PlannedErasure[] = []
    for await (const page of rawStream(store, stream))
      for (const event of page) {
        const { id: eventId, revision, type, payload } = event
        const by = needed.get(`${revision} ${stream}`)
        if (by !== undefined) kept.push({ session, stream, revision, eventId, because: `session ${by} begins with it` })
        const masked = payload === null || by !== undefined ? null : maskedPayload(type, payload, eventId.slice(0, 16))
        if (masked !== null) own.push({ event, masked })
      }
    erasures.set(stream, own)
  }
  return {
    ok: true,
    position,
    sessions: [...rows.taken.values()],
    erasures,
    kept,
    blobs: await lastReferences(store, [...erasures.values()].flat(), position),
  }
}

/** Blobs that these events refer to and, once they are masked, nothing else does. */
async function lastReferences(
  store: EventStore,
  erased: readonly PlannedErasure[],
  end: number,
): Promise<readonly string[]> {
  const blobs = new Set(erased.flatMap(({ event }) => [...hashesOf(event.payload)]))
  if (blobs.size === 0) return []
  const gone = new Set(erased.map(({ event }) => event.position))
  for await (const page of rawLog(store, end))
    for (const { position, payload } of page)
      if (!gone.has(position)) for (const hash of hashesOf(payload)) blobs.delete(hash)
  return [...blobs]
}

const hashesOf = (payload: string | null): ReadonlySet<string> =>
  payload?.includes('"blob"') === true ? blobHashesIn(JSON.parse(payload)) : new Set()
