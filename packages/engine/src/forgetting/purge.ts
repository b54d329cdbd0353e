import { commandEventId, encodeEvent, RefoldError, type NewEvent, type SessionEvent } from '@refold/events'
import type { EngineParts } from '../facade/engine-parts.ts'
import { refuse, type Refusal } from '../refusal.ts'
import { planPurge, type PlannedPurge } from './plan-purge.ts'
import type { PurgeOptions, PurgePlan, PurgeReceipt } from './purge-answer.ts'

const TRIES = 12
const OUT_OF_REACH = ['backups', 'exports', 'histories that were imported']

/** The plan grew old while it was carried out: nothing is written, it is made anew. */
class Overtaken extends Error {}

export async function purgePlanOf(place: EngineParts, names: readonly string[]): Promise<PurgePlan | Refusal> {
  const plan = await planPurge(place, names)
  return plan.ok ? summaryOf(plan) : plan
}

/**
 * Overwrites what deleted sessions said, with `PurgeStarted`, in one transaction; then cleans views, search index and the log's
 * own files. Sessions that were purged before are only cleaned again, so that a cleaning which was cut short is finished by
 * asking once more. Throws `cannot-erase`, and `contended` where others write so fast that no plan holds.
 */
export async function purge(
  place: EngineParts,
  names: readonly string[],
  options: PurgeOptions,
): Promise<PurgeReceipt | Refusal> {
  const { store } = place.driver
  if (!store.transact || !store.capabilities.erase) throw new RefoldError('cannot-erase', { store: 'This store' })
  const actor = options.actor ?? place.actor
  if (actor.session !== undefined)
    return refuse('not-allowed', { session: names[0] ?? '', actor: actor.id, command: 'purge' })
  const tries = options.tries ?? TRIES
  for (let tried = 0; tried < tries; tried += 1) {
    const plan = await planPurge(place, names)
    if (!plan.ok) return plan
    const key = options.key ?? place.driver.newKey()
    const purgeId = plan.erasures.size === 0 ? null : place.driver.source.sha256(`purge ${key}`).slice(0, 24)
    try {
      if (purgeId !== null) await erase(place, plan, { key, actor, purgeId })
    } catch (problem) {
      if (problem instanceof Overtaken) continue
      throw problem
    }
    const places = [
      ['views', await place.scrubViews()],
      ['search', await place.search.scrub()],
      ['log', await place.cleanLog()],
    ] as const
    const receipt: PurgeReceipt = {
      ...summaryOf(plan),
      purgeId,
      cleaned: places.filter(([, clean]) => clean).map(([name]) => name),
      pending: places.filter(([, clean]) => !clean).map(([name]) => name),
      outOfReach: OUT_OF_REACH,
    }
    if (purgeId !== null && receipt.pending.length === 0) {
      const { cleaned, outOfReach, blobs } = receipt
      const said = { cleaned, blobs, kept: plan.kept.length, outOfReach }
      const event = { type: 'Purged' as const, data: { purgeId, receipt: said } }
      for (const stream of plan.erasures.keys())
        await store.append({
          streams: [{ stream, expected: 'exists', events: [eventFor(place, stream, event, { key, actor, index: 1 })] }],
        })
    }
    return receipt
  }
  throw new RefoldError('contended', { stream: names.join(', '), tries })
}

type Written = Pick<NewEvent, 'actor'> & { readonly key: string }

async function erase(
  place: EngineParts,
  plan: PlannedPurge,
  { key, actor, purgeId }: Written & { readonly purgeId: string },
): Promise<void> {
  await place.driver.store.transact?.((log) => {
    const streams = [...plan.erasures].map(([stream, erased]) => {
      const eventIds = erased.map(({ event }) => event.id)
      const kept = plan.kept
        .filter((one) => one.stream === stream)
        .map(({ eventId, because }) => ({ eventId, why: because }))
      const event = { type: 'PurgeStarted' as const, data: { purgeId, eventIds, kept } }
      const events = [eventFor(place, stream, event, { key, actor, index: 0 })]
      return { stream, expected: 'exists' as const, events }
    })
    const appended = log.append({ streams })
    // Positions follow each other as long as nobody else wrote: what was planned is all that there is.
    if (!appended.ok || appended.events[0]?.position !== plan.position + 1) throw new Overtaken()
    for (const { event, masked } of [...plan.erasures.values()].flat()) log.erase(event, masked)
    for (const hash of plan.blobs) log.eraseBlob(hash)
  })
}

function eventFor(
  { driver: { source } }: EngineParts,
  stream: string,
  event: SessionEvent,
  { key, actor, index }: Written & { readonly index: number },
): NewEvent {
  return {
    ...encodeEvent(event),
    id: commandEventId(source.sha256, stream, key, index),
    recordedAt: source.now(),
    actor,
  }
}

function summaryOf({ sessions, erasures, kept, blobs }: PlannedPurge): PurgePlan {
  return {
    ok: true,
    sessions,
    events: [...erasures.values()].reduce((sum, one) => sum + one.length, 0),
    blobs: blobs.length,
    kept: kept.map(({ session, revision, eventId, because }) => ({ session, revision, eventId, because })),
  }
}
