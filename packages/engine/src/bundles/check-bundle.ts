import {
  ChainWalk,
  decodeEvent,
  eventSchemas,
  isKnown,
  parseSessionStream,
  type AnyRecorded,
  type BundledEvent,
  type ChainProblem,
  type DeclaredStream,
  type Manifest,
  type RawEvent,
  type Sha256,
} from '@refold/events'
import { blobsOfRaw } from '../integrity/blob-check.ts'
import { describeBreak } from '../integrity/verify-report.ts'
import { BundleBroken } from './bundle-broken.ts'
import { readBundle, type Bytes } from './read-bundle.ts'

export interface CheckedBundle {
  readonly manifest: Manifest
  readonly streams: readonly DeclaredStream[]
  readonly events: number
  readonly blobs: number
}

/** Told as the file is read, for whoever wants to know more of it than that it is whole. */
export interface BundleWatcher {
  declared?(stream: DeclaredStream): Promise<void>
  event?(raw: RawEvent, event: AnyRecorded): void
}

/**
 * Checks a whole export without any store: form of each line, chain of each stream up to the head that it names, erased
 * payloads, blobs, schema of each known event. Throws {@link BundleBroken}.
 */
export async function checkBundle(bytes: Bytes, sha256: Sha256, watcher: BundleWatcher = {}): Promise<CheckedBundle> {
  const walk = new ChainWalk(sha256)
  const streams = new Map<string, DeclaredStream>()
  const blobs = new Set<string>()
  const lines = new Map<string, number>()
  let manifest: Manifest | undefined
  for await (const { line, value } of readBundle(bytes)) {
    if ('refold' in value) manifest = value
    else if ('basis' in value) {
      if (streams.has(value.stream)) throw new BundleBroken(line, 'malformed', 'this stream was named before.', value)
      streams.set(value.stream, value)
      await watcher.declared?.(value)
    } else if ('base64' in value) {
      if (sha256(Buffer.from(value.base64, 'base64')) !== value.blob)
        throw new BundleBroken(line, 'blob-changed', 'the bytes of this blob are not those that were exported.')
      blobs.add(value.blob)
    } else if ('event' in value) {
      const raw = unplaced(value.event)
      const declared = streams.get(raw.stream)
      if (!declared) throw new BundleBroken(line, 'malformed', 'the stream of this event was not named before.', raw)
      const found = walk.take(raw)
      if (found) throw broken(line, found)
      const event = checkContent(line, raw)
      const missing = blobsOfRaw(raw).texts.some((hash) => !blobs.has(hash))
      if (missing) throw broken(line, { stream: raw.stream, revision: raw.revision, problem: 'blob-missing' })
      if (raw.digest !== null) lines.set(`${raw.stream} ${raw.revision}`, line)
      watcher.event?.(raw, event)
    } else {
      const [unvouched] = walk.unvouched()
      if (unvouched) throw broken(lines.get(`${unvouched.stream} ${unvouched.revision}`) ?? line, unvouched)
      for (const declared of streams.values()) {
        const head = walk.head(declared.stream)
        if (head?.revision !== declared.revision || head.hash !== declared.hash)
          throw new BundleBroken(line, 'other-count', 'a stream does not end where the export says.', declared)
      }
      if (manifest?.streams !== streams.size || manifest.events !== walk.events)
        throw new BundleBroken(line, 'other-count', 'the export does not hold what its manifest says.')
    }
  }
  if (!manifest) throw new BundleBroken(1, 'truncated', 'the file is empty.')
  return { manifest, streams: [...streams.values()], events: walk.events, blobs: blobs.size }
}

export const unplaced = (event: BundledEvent): RawEvent => ({ ...event, position: 0 })

function broken(
  line: number,
  found: { readonly stream: string; readonly revision: number; readonly problem: ChainProblem },
): BundleBroken {
  const { stream, revision, problem } = found
  const { message } = describeBreak({ stream, revision, position: null, problem })
  return new BundleBroken(line, problem, message, found)
}

/** Events of known types must be such as could have been recorded; all others are carried along as they are. */
function checkContent(line: number, raw: RawEvent): AnyRecorded {
  const { type, payload, salt: _salt, digest: _digest, ...envelope } = raw
  let event: AnyRecorded
  try {
    event = decodeEvent(envelope, type, payload)
  } catch (cause) {
    throw new BundleBroken(line, 'malformed', 'what this event says is no JSON.', raw, { cause })
  }
  if (!isKnown(event)) return event
  if (!eventSchemas[event.type].safeParse(event.data).success)
    throw new BundleBroken(line, 'malformed', `what this event says does not fit ${type}.`, raw)
  const address = parseSessionStream(raw.stream)
  if (event.type === 'SessionStarted' && event.data.session !== address?.session)
    throw new BundleBroken(line, 'malformed', 'this event starts a session of another stream.', raw)
  return event
}
