import { decodeEvent, isKnown, parseSessionStream, sessionStream, type EventStore, type RawEvent } from '@refold/events'
import { rawStream } from './raw-pages.ts'

/** What a session is shown from beside its own events: another session's, through a revision. */
export interface Basis {
  readonly stream: string
  readonly through: number
}

/** What the session that begins with this event inherits; undefined for one that stands for itself. */
export function basisOf(first: RawEvent): Basis | undefined {
  const { type, payload, salt: _salt, digest: _digest, ...envelope } = first
  const address = parseSessionStream(first.stream)
  const start = decodeEvent(envelope, type, payload)
  if (!address || !isKnown(start) || start.type !== 'SessionStarted') return undefined
  const { origin } = start.data
  if (origin.kind !== 'branch' && origin.kind !== 'stray') return undefined
  return {
    stream: sessionStream({ namespace: address.namespace, session: origin.session }),
    through: origin.cut.asOf,
  }
}

/**
 * The streams that these are shown from, through the highest cut of each, and through what vouches for anything that was
 * erased before it. Safe on circles.
 */
export async function basesOf(store: EventStore, streams: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const whole = new Set(streams)
  const bases = new Map<string, number>()
  const waiting = [...streams]
  const seen = new Set(streams)
  for (const stream of waiting) {
    const [first] = await store.readRaw(stream, { from: 0, limit: 1 })
    const basis = first && basisOf(first)
    if (!basis) continue
    if (!whole.has(basis.stream)) bases.set(basis.stream, Math.max(bases.get(basis.stream) ?? -1, basis.through))
    if (seen.has(basis.stream)) continue
    seen.add(basis.stream)
    waiting.push(basis.stream)
  }
  for (const [stream, through] of bases) bases.set(stream, await throughVouched(store, stream, through))
  return bases
}

/** The revision up to which a prefix verifies by itself: later events say what was erased in it, and why. */
async function throughVouched(store: EventStore, stream: string, through: number): Promise<number> {
  const erased = new Set<string>()
  let end = -1
  let last = through
  for await (const page of rawStream(store, stream)) {
    for (const { id, revision, type, digest, payload } of page) {
      if (revision <= through) {
        end = revision
        if (digest !== null) erased.add(id)
      } else if ((type === 'PurgeStarted' || type === 'Redacted') && [...erased].some((one) => payload?.includes(one)))
        last = revision
    }
    if (erased.size === 0 && end >= through) break
  }
  return last === through ? Math.min(end, through) : last
}
