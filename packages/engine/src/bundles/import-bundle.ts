import {
  isKnown,
  RefoldError,
  type AnyRecorded,
  type Blob,
  type EventStore,
  type LogTransaction,
  type RawEvent,
} from '@refold/events'
import type { Desk } from '../deciding/desk.ts'
import type { Driver } from '../deciding/driver.ts'
import { checkBundle, unplaced } from './check-bundle.ts'
import { claiming, takeIds, takeNames, type NameTaken } from './import-claims.ts'
import { ImportPlan, type BundleConflict, type PlannedStream } from './import-plan.ts'
import { readBundle, type Bytes } from './read-bundle.ts'

/** Events and bytes that one transaction takes. */
const BATCH_EVENTS = 500
const BATCH_BYTES = 8 << 20
/** Sessions whose names one transaction takes. */
const BATCH_SESSIONS = 200

export interface BundleImport {
  readonly signal?: AbortSignal
  /** Events of the file that were read in the second pass, and all there are. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

export interface BundleReport {
  /** Sessions of the file, without those of which it only holds a beginning. */
  readonly sessions: number
  /** Events written, and messages among them. */
  readonly events: number
  readonly messages: number
  readonly alreadyThere: number
  /** Sessions that were left out whole. */
  readonly conflicts: readonly BundleConflict[]
  readonly namesTaken: readonly NameTaken[]
}

interface Importing {
  readonly driver: Driver
  readonly namespace: string
  readonly transact: NonNullable<EventStore['transact']>
}

/** A bundle of another namespace: its hashes hold there only. */
export class OtherNamespace extends Error {
  override readonly name = 'OtherNamespace'
  readonly code = 'other-namespace'
  readonly namespace: string

  constructor(namespace: string) {
    super(`The export is of namespace ${JSON.stringify(namespace)}, and a session never changes it.`)
    this.namespace = namespace
  }
}

/**
 * Brings an export into a log: checks all of it first, then writes what is new as it was recorded. `open` gives the file's
 * bytes from the beginning, twice. Run again, it adds nothing; killed and run again, it goes on. Throws `BundleBroken`,
 * {@link OtherNamespace}, the signal's reason and what the store throws.
 */
export async function importBundle(
  { driver, namespace }: { readonly driver: Driver; readonly namespace: string },
  open: () => Bytes,
  { signal, onProgress }: BundleImport = {},
): Promise<BundleReport> {
  const { store, source } = driver
  if (!store.transact)
    throw new RefoldError('append-malformed', { stream: 'export', problem: 'this store keeps no recorded events' })
  const importing: Importing = { driver, namespace, transact: (work) => requireTransact(store)(work) }
  const plan = new ImportPlan(store, namespace)
  const { manifest, events: total } = await checkBundle(open(), source.sha256, plan)
  if (manifest.namespace !== namespace) throw new OtherNamespace(manifest.namespace)
  plan.spreadConflicts()
  await reserveIds(importing, plan)
  plan.spreadConflicts()
  const { accepted, conflicts } = plan
  const written = await writeNew(importing, plan, open(), {
    total,
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  })
  const whole = accepted.filter(({ declared }) => !declared.basis)
  const namesTaken = await claimNames(importing, whole)
  const sessions = [...plan.streams.values()].filter(({ declared }) => !declared.basis).length
  return { sessions, ...written, conflicts, namesTaken }
}

function requireTransact(store: EventStore): NonNullable<EventStore['transact']> {
  return (work) => {
    if (!store.transact) throw new TypeError('The store has no transactions.')
    return store.transact(work)
  }
}

const deskFor = ({ driver, namespace }: Importing): Desk => ({
  namespace,
  actor: { kind: 'importer', id: 'refold' },
  key: driver.newKey(),
  keyIsGiven: false,
  now: driver.source.now(),
  sha256: driver.source.sha256,
  secret: driver.store.secret,
  claims: true,
})

/** Before any event, so that nobody takes an id meanwhile. A claim without a session proves nothing, should this be all. */
async function reserveIds(importing: Importing, plan: ImportPlan): Promise<void> {
  for (const some of batches(plan.accepted))
    await importing.transact((log) =>
      claiming(importing.driver, log, deskFor(importing), function* (ledger) {
        for (const planned of some) {
          const about = yield* takeIds(ledger, planned.session, planned.ids)
          if (about !== undefined) planned.conflict = { code: 'id-taken', session: planned.session, about }
        }
      }),
    )
}

async function claimNames(importing: Importing, planned: readonly PlannedStream[]): Promise<readonly NameTaken[]> {
  const taken: NameTaken[] = []
  for (const some of batches(planned)) {
    const desk = deskFor(importing)
    const found = await importing.transact((log) =>
      claiming(importing.driver, log, desk, function* (ledger) {
        const names: NameTaken[] = []
        for (const { session } of some) names.push(...(yield* takeNames(desk, ledger, session)))
        return names
      }),
    )
    taken.push(...found)
  }
  return taken
}

function* batches<T>(all: readonly T[]): IterableIterator<readonly T[]> {
  for (let from = 0; from < all.length; from += BATCH_SESSIONS) yield all.slice(from, from + BATCH_SESSIONS)
}

interface Batch {
  readonly events: RawEvent[]
  readonly blobs: Blob[]
  bytes: number
}

async function writeNew(
  { driver, transact }: Importing,
  plan: ImportPlan,
  file: Bytes,
  { total, signal, onProgress }: BundleImport & { readonly total: number },
): Promise<Pick<BundleReport, 'events' | 'messages' | 'alreadyThere'>> {
  const accepted = new Map(plan.accepted.map((planned) => [planned.declared.stream, planned]))
  const needed = new Set([...accepted.values()].flatMap(({ blobs }) => [...blobs]))
  /** Known events of which the file has less than the log: a later event of the file says so. */
  const erased: RawEvent[] = []
  const counts = { events: 0, messages: 0, alreadyThere: 0 }
  let batch: Batch = { events: [], blobs: [], bytes: 0 }
  const flush = async (): Promise<void> => {
    signal?.throwIfAborted()
    const { events, blobs } = batch
    batch = { events: [], blobs: [], bytes: 0 }
    if (events.length > 0) {
      const recorded = await transact((log) => {
        eraseAgain(log, erased, events)
        return log.appendRecorded({ events, blobs })
      })
      driver.states.follow(recorded)
      counts.messages += recorded.filter(isMessage).length
    } else batch.blobs.push(...blobs)
    onProgress?.({ done: counts.events + counts.alreadyThere, total })
  }
  for await (const { value } of readBundle(file)) {
    if ('base64' in value && needed.has(value.blob)) {
      batch.blobs.push({ hash: value.blob, bytes: Buffer.from(value.base64, 'base64') })
      batch.bytes += value.base64.length
    }
    if (!('event' in value)) continue
    const raw = unplaced(value.event)
    const planned = accepted.get(raw.stream)
    if (!planned) continue
    if (raw.revision <= (planned.head?.revision ?? -1)) {
      counts.alreadyThere += 1
      if (raw.digest !== null) erased.push(raw)
      continue
    }
    counts.events += 1
    batch.events.push(raw)
    batch.bytes += raw.payload?.length ?? 0
    if (batch.events.length >= BATCH_EVENTS || batch.bytes >= BATCH_BYTES) await flush()
  }
  await flush()
  return counts
}

/** What was purged or redacted there after it was copied is so here, too, together with the event that says so. */
function eraseAgain(log: LogTransaction, erased: readonly RawEvent[], events: readonly RawEvent[]): void {
  const vouching = events.filter(({ type }) => type === 'PurgeStarted' || type === 'Redacted')
  for (const { stream, revision, id, payload, salt } of vouching.length === 0 ? [] : erased)
    if (vouching.some((event) => event.stream === stream && event.payload?.includes(id)))
      log.erase({ stream, revision }, payload, salt ?? undefined)
}

const isMessage = (event: AnyRecorded): boolean =>
  isKnown(event) && event.type === 'MessageAppended' && event.data.partial === undefined
