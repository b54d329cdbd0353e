import { chainHash, CHAIN_START, payloadDigest, sessionStream } from '@refold/events'
import { systemSource, type Engine } from '@refold/engine'

/** Revisions of a session's log whose hash is not that of what stands there and of the event before it. */
export async function chainBreaks(engine: Engine, session: string): Promise<readonly number[]> {
  const { sha256 } = systemSource
  const stream = sessionStream({ namespace: engine.namespace, session })
  const broken: number[] = []
  let previous = CHAIN_START
  for (const raw of await engine.store.readRaw(stream, { limit: 10_000 })) {
    const digest = raw.digest ?? payloadDigest(sha256, raw.salt ?? '', raw.payload ?? '')
    if (chainHash(sha256, previous, raw, digest) !== raw.hash) broken.push(raw.revision)
    previous = raw.hash
  }
  return broken
}
