import { sessionStream, type RawEvent } from '@refold/events'
import { childrenOf, neededByHeirs, type TableReaders } from '@refold/projections'
import { sessionById } from '../facade/resolve.ts'
import type { SessionPlace } from '../facade/session.ts'
import { rawStream } from '../integrity/raw-pages.ts'
import { refuse, type Refusal } from '../refusal.ts'
import { lastReferences } from './blob-references.ts'
import { MaskedNames, maskedPayload } from './masked-payload.ts'
import type { KeptOfPurge } from './purge-answer.ts'

export interface PlannedErasure {
  readonly event: RawEvent
  /** What stands in its place: null for nothing. */
  readonly masked: string | null
}

/** What a purge does in one stream. */
export interface PlannedStream {
  readonly stream: string
  readonly session: string
  /** By the caller; else it goes along. */
  readonly isNamed: boolean
  /** Of its last event: whatever is written there meanwhile makes the plan void. */
  readonly revision: number
  /** It says so already: nothing is written again where nothing is left to take. */
  readonly wasPurged: boolean
  /** Purges that were begun and whose receipt is not written yet. */
  readonly unfinished: readonly string[]
  readonly erasures: readonly PlannedErasure[]
  readonly kept: readonly KeptOfPurge[]
}

export interface PlannedPurge {
  readonly ok: true
  /** Position of the log's last event as of which no other refers to the blobs. */
  readonly position: number
  readonly streams: readonly PlannedStream[]
  readonly blobs: readonly string[]
}

/**
 * What purging these sessions takes, as of one moment of the log: they, the deleted delegates under them, and what earlier purges
 * of sessions that they began with had to leave for them. Reads the whole log once where blobs are concerned: any event may refer
 * to one.
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
    const taken = takenWith(tables, seeds)
    const purged = new Set([...taken.keys()].filter((stream) => tables.tips.get(stream)?.purged === true))
    return { taken, purged, needed: neededByHeirs(tables, new Set(taken.keys())) }
  })
  if ('living' in rows) return refuse('not-deleted', { session: rows.living })
  const needed = new Map(rows.needed.map((one) => [`${one.revision} ${one.stream}`, one.by]))
  const streams: PlannedStream[] = []
  for (const [stream, session] of rows.taken) {
    const wasPurged = rows.purged.has(stream)
    const neededBy = (revision: number): string | undefined => needed.get(`${revision} ${stream}`)
    streams.push({
      stream,
      session,
      isNamed: seeds.has(stream),
      wasPurged,
      ...(await planStream(place, stream, session, neededBy)),
    })
  }
  const erasures = streams.flatMap((one) => one.erasures)
  return { ok: true, position, streams, blobs: await lastReferences(store, erasures, position) }
}

/** With the deleted delegates under them and the purged sessions that they branched from. */
function takenWith(
  rows: Pick<TableReaders, 'tips' | 'edges'>,
  seeds: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const taken = new Map(seeds)
  for (const one of taken.keys()) {
    for (const { stream, session, kind } of childrenOf(rows, one))
      if (kind === 'delegate' && rows.tips.get(stream)?.deleted === true) taken.set(stream, session)
    const edge = rows.edges.get(one)
    const isHeir = edge?.kind === 'branch' || edge?.kind === 'stray'
    const origin = isHeir && edge.parentStream !== null ? rows.tips.get(edge.parentStream) : undefined
    if (origin?.purged === true) taken.set(origin.stream, origin.session)
  }
  return taken
}

async function planStream(
  { driver: { store } }: SessionPlace,
  stream: string,
  session: string,
  neededBy: (revision: number) => string | undefined,
): Promise<Pick<PlannedStream, 'revision' | 'unfinished' | 'erasures' | 'kept'>> {
  const erasures: PlannedErasure[] = []
  const kept: KeptOfPurge[] = []
  const unfinished = new Set<string>()
  const names = new MaskedNames()
  let revision = -1
  for await (const page of rawStream(store, stream))
    for (const event of page) {
      revision = event.revision
      const purgeId = purgeIdOf(event)
      if (event.type === 'PurgeStarted' && purgeId !== undefined) unfinished.add(purgeId)
      if (event.type === 'Purged' && purgeId !== undefined) unfinished.delete(purgeId)
      const masked = maskedPayload(event, names)
      const by = neededBy(revision)
      if (by !== undefined && masked !== undefined)
        kept.push({ session, revision, eventId: event.id, because: `session ${by} begins with it` })
      else if (masked !== undefined) erasures.push({ event, masked })
    }
  return { revision, unfinished: [...unfinished], erasures, kept }
}

function purgeIdOf({ type, payload }: RawEvent): string | undefined {
  if ((type !== 'PurgeStarted' && type !== 'Purged') || payload === null) return undefined
  const data: unknown = JSON.parse(payload)
  const isNamed = typeof data === 'object' && data !== null && 'purgeId' in data
  return isNamed && typeof data.purgeId === 'string' ? data.purgeId : undefined
}
