import {
  CHAIN_START,
  chainHash,
  decodeEvent,
  payloadDigest,
  RefoldError,
  type AnyRecorded,
  type RawEvent,
  type RecordedAppend,
  type StreamHead,
} from '@refold/events'
import { checkRecorded } from './check-append.ts'
import type { LogIndex } from './plan-append.ts'
import type { Sealing } from './seal-append.ts'

/** An event from another log that was found to continue its stream; only its position is open. */
export interface SealedRecord {
  readonly said: RawEvent
  readonly salt: string | null
  readonly digest: string | null
  readonly event: AnyRecorded
}

/** Checks that events recorded elsewhere continue the streams of this log, hash by hash. */
export function sealRecorded(log: Sealing & LogIndex, { events }: RecordedAppend): readonly SealedRecord[] {
  const heads = new Map<string, StreamHead | undefined>()
  const ids = new Set<string>()
  return events.map((said) => {
    const { stream, salt, digest, payload } = said
    checkRecorded(said)
    const before = heads.has(stream) ? heads.get(stream) : log.head(stream)
    const fits = (holds: boolean, problem: string): void => {
      if (!holds) throw new RefoldError('append-malformed', { stream, problem: `event ${said.revision} ${problem}` })
    }
    fits(said.revision === (before?.revision ?? -1) + 1, 'does not follow the last one here')
    fits(digest !== null || (payload !== null && salt !== null), 'has lost what it said without a digest of it')
    const kept = digest ?? payloadDigest(log.sha256, salt ?? '', payload ?? '')
    fits(chainHash(log.sha256, before?.hash ?? CHAIN_START, said, kept) === said.hash, 'has a hash that does not fit')
    fits(!ids.has(`${stream} ${said.id}`) && log.revisionOf(stream, said.id) === undefined, 'has the id of another one')
    ids.add(`${stream} ${said.id}`)
    heads.set(stream, said)
    const { type, payload: _payload, salt: _salt, digest: _digest, ...envelope } = said
    return { said, salt, digest, event: decodeEvent({ ...envelope, position: 0 }, type, payload) }
  })
}
