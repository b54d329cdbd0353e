import { commandEventId, encodeEvent, type Actor, type EventStore } from '@refold/events'
import type { Source } from '../source.ts'
import { hex } from '../stores/hex.ts'
import type { Mended } from './doctor-report.ts'
import type { ClaimMend } from './expected-claims.ts'

/**
 * Gives dangling claims back and takes missing ones, each only if neither the claim nor its holder has moved since they were
 * looked at, in one transaction: else it may be right by now. Stores without transactions are left alone.
 */
export async function mendClaims(
  { store, source }: { readonly store: EventStore; readonly source: Source },
  mends: readonly ClaimMend[],
  actor: Actor,
): Promise<readonly Mended[]> {
  if (!store.transact) return []
  const done: Mended[] = []
  for (const { claim, expected, holder, take, stream, revision } of mends) {
    const event = take
      ? ({ type: 'Claimed', data: { ...take, holder } } as const)
      : ({ type: 'Released', data: { holder, why: 'doctor' } } as const)
    const id = commandEventId(source.sha256, claim, hex(source.random(16)), 0)
    const isMended = await store.transact((log) => {
      if ((log.head(stream)?.revision ?? -1) !== revision) return false
      const events = [{ ...encodeEvent(event), id, recordedAt: source.now(), actor }]
      return log.append({ streams: [{ stream: claim, expected: expected < 0 ? 'no-stream' : expected, events }] }).ok
    })
    if (!isMended) continue
    done.push(
      take
        ? { action: 'claim-taken', message: `Took the ${take.kind} claim ${claim} for session ${holder}.` }
        : { action: 'claim-released', message: `Gave back the claim ${claim}, which session ${holder} does not back.` },
    )
  }
  return done
}
