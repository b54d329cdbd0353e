import {
  commandEventId,
  encodeEvent,
  payloadDigest,
  purgeDigest,
  RefoldError,
  type NewEvent,
  type SessionEvent,
} from '@refold/events'
import type { EngineParts } from '../facade/engine-parts.ts'
import { refuse, type Refusal } from '../refusal.ts'
import { hex } from '../stores/hex.ts'
import { unreferencedSince } from './blob-references.ts'
import { planPurge, type PlannedPurge, type PlannedStream } from './plan-purge.ts'
import type { PurgeOptions, PurgePlan, PurgeReceipt } from './purge-answer.ts'

const TRIES = 12
const OUT_OF_REACH = ['backups', 'exports', 'histories that were imported']

/** One of the sessions moved on while the plan was made: nothing is written, it is made anew. */
class Overtaken extends Error {}

export async function purgePlanOf(place: EngineParts, names: readonly string[]): Promise<PurgePlan | Refusal> {
  const plan = await planPurge(place, names)
  return plan.ok ? summaryOf(plan) : plan
}

/**
 * Overwrites what deleted sessions said, with `PurgeStarted`, in one transaction; then cleans views, search index and the log's
 * own files and writes the receipt. Sessions that were purged before are only cleaned again, so that a cleaning which was cut
 * short is finished by asking once more. Throws `cannot-erase`, and `contended` where others write so fast that no plan holds.
 */
export async function purge(
  place: EngineParts,
  names: readonly string[],
  options: PurgeOptions,
): Promise<PurgeReceipt | Refusal> {
  const { store, source } = place.driver
  if (!store.transact || !store.capabilities.erase) throw new RefoldError('cannot-erase', { store: 'This store' })
  const actor = options.actor ?? place.actor
  if (actor.session !== undefined)
    return refuse('not-allowed', { session: names[0] ?? '', actor: actor.id, command: 'purge' })
  const tries = options.tries ?? TRIES
  for (let tried = 0; tried < tries; tried += 1) {
    const plan = await planPurge(place, names)
    if (!plan.ok) return plan
    const begun = plan.streams.filter(({ wasPurged, erasures }) => !wasPurged || erasures.length > 0)
    const purgeId =
      begun.length === 0 ? null : source.sha256(`purge ${options.key ?? place.driver.newKey()}`).slice(0, 24)
    try {
      if (purgeId !== null) await erase(place, { ...plan, streams: begun }, { actor, purgeId })
    } catch (problem) {
      if (problem instanceof Overtaken) continue
      throw problem
    }
    const receipt = { ...summaryOf(plan), purgeId, ...(await cleaned(place)), outOfReach: OUT_OF_REACH }
    if (receipt.pending.length === 0)
      for (const one of plan.streams) {
        const ids = new Set([...one.unfinished, ...(purgeId !== null && begun.includes(one) ? [purgeId] : [])])
        for (const id of ids) await finish(place, one, receipt, { actor, purgeId: id })
      }
    return receipt
  }
  throw new RefoldError('contended', { stream: names.join(', '), tries })
}

type Named = Pick<NewEvent, 'actor'> & { readonly purgeId: string }

async function erase(place: EngineParts, plan: PlannedPurge, { purgeId, actor }: Named): Promise<void> {
  const { store, source } = place.driver
  await store.transact?.((log) => {
    const streams = plan.streams.map(({ stream, revision, erasures, kept }) => {
      if (log.head(stream)?.revision !== revision) throw new Overtaken()
      const salted = erasures.map((one) => ({ ...one, salt: hex(source.random(16)) }))
      const masked = salted.flatMap(({ masked, salt }) =>
        masked === null ? [] : [payloadDigest(source.sha256, salt, masked)],
      )
      const data = {
        purgeId,
        eventIds: erasures.map(({ event }) => event.id),
        kept: kept.map((one) => ({ eventId: one.eventId, revision: one.revision, why: one.because })),
        digest: purgeDigest(source.sha256, masked),
      }
      const event = eventFor(place, { type: 'PurgeStarted', data }, [stream, purgeId, 'begun', revision], actor)
      return { append: { stream, expected: revision, events: [event] }, salted }
    })
    const blobs = unreferencedSince(log, plan.blobs, plan.position)
    const appended = log.append({ streams: streams.map(({ append }) => append) })
    if (!appended.ok) throw new Overtaken()
    for (const { event, masked, salt } of streams.flatMap(({ salted }) => salted)) log.erase(event, masked, salt)
    for (const hash of blobs) log.eraseBlob(hash)
  })
}

/** Takes what was erased out of everything else that holds it. */
async function cleaned(place: EngineParts): Promise<Pick<PurgeReceipt, 'cleaned' | 'pending'>> {
  const places = [
    ['views', await place.scrubViews()],
    ['search', await place.search.scrub()],
    ['log', await place.cleanLog()],
  ] as const
  return {
    cleaned: places.filter(([, isClean]) => isClean).map(([name]) => name),
    pending: places.filter(([, isClean]) => !isClean).map(([name]) => name),
  }
}

/** Writes the receipt; once for each purge of a stream, whoever else does so at the same time. */
async function finish(
  place: EngineParts,
  { stream, erasures, kept }: PlannedStream,
  { cleaned, outOfReach }: Pick<PurgeReceipt, 'cleaned' | 'outOfReach'>,
  { purgeId, actor }: Named,
): Promise<void> {
  const receipt = { events: erasures.length, cleaned, kept: kept.length, outOfReach }
  const event = eventFor(place, { type: 'Purged', data: { purgeId, receipt } }, [stream, purgeId, 'ended'], actor)
  await place.driver.store.append({ streams: [{ stream, expected: 'exists', events: [event] }] })
}

/** `parts`: the stream, and what tells this event of it from all others. */
function eventFor(
  { driver: { source } }: EngineParts,
  event: SessionEvent,
  [stream, ...parts]: readonly [string, ...(string | number)[]],
  actor: NewEvent['actor'],
): NewEvent {
  const id = commandEventId(source.sha256, stream, JSON.stringify(['purge', ...parts]), 0)
  return { ...encodeEvent(event), id, recordedAt: source.now(), actor }
}

function summaryOf({ streams, blobs }: PlannedPurge): PurgePlan {
  const concerned = streams.filter(({ isNamed, wasPurged, erasures }) => isNamed || !wasPurged || erasures.length > 0)
  return {
    ok: true,
    sessions: concerned.map(({ session }) => session),
    events: streams.reduce((sum, { erasures }) => sum + erasures.length, 0),
    blobs: blobs.length,
    kept: streams.flatMap(({ kept }) => kept),
  }
}
