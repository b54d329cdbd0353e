import { RefoldError, type Sha256 } from '@refold/events'
import type { SealedEvent } from '@refold/engine/stores'
import type { EventData } from '@eventstore/db-client'
import { bytesOf, toWrite } from './written-event.ts'

/** Events as they are to be written, and the payloads that stand in blobs because they were too large. */
export interface FittingAppend {
  readonly events: readonly EventData[]
  /** By hash. */
  readonly moved: ReadonlyMap<string, Uint8Array>
}

/**
 * Moves the largest payloads out until the rest fits: the server's limit is for all events of one append together. Throws
 * `batch-too-large` where that is not enough.
 */
export function movePayloads(sealed: readonly SealedEvent[], limit: number, sha256: Sha256): FittingAppend {
  const events = sealed.map((event) => toWrite(event))
  const moved = new Map<string, Uint8Array>()
  let bytes = events.reduce((sum, event) => sum + bytesOf(event), 0)
  const bySize = events.map((event, index) => ({ index, size: bytesOf(event) })).toSorted((a, b) => b.size - a.size)
  for (const { index } of bySize) {
    if (bytes <= limit) break
    const [event, before] = [sealed[index], events[index]]
    if (!event || !before) continue
    const payload = new TextEncoder().encode(event.said.payload)
    const hash = sha256(event.said.payload)
    const after = toWrite(event, hash)
    if (bytesOf(after) >= bytesOf(before)) continue
    bytes += bytesOf(after) - bytesOf(before)
    events[index] = after
    moved.set(hash, payload)
  }
  if (bytes > limit) throw new RefoldError('batch-too-large', { bytes, limit })
  return { events, moved }
}
