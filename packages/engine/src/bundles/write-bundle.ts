import { createHash } from 'node:crypto'
import {
  BUNDLE_VERSION,
  ChainWalk,
  eventLine,
  lineOf,
  parseSessionStream,
  RefoldError,
  type DeclaredStream,
  type EventStore,
  type RawEvent,
  type Sha256,
} from '@refold/events'
import { basesOf } from '../integrity/bases.ts'
import { blobsOfRaw } from '../integrity/blob-check.ts'
import { rawLog } from '../integrity/raw-pages.ts'
import { describeBreak, type FoundBreak } from '../integrity/verify-report.ts'
import { mergedStreams } from './merged-streams.ts'

/** Above this many streams the whole log is read and sifted, instead of each stream by itself. */
const READ_APART = 64

interface Chosen extends DeclaredStream {
  readonly firstPosition: number
}

/**
 * The lines of an export, in pieces of any size; memory grows with the number of streams. What is appended meanwhile is left
 * out. Throws `store-damaged` or `blob-missing` where the store does not hold what was recorded: then no end is written.
 */
export async function* writeBundle(
  { store, sha256 }: { readonly store: EventStore; readonly sha256: Sha256 },
  { namespace, streams }: { readonly namespace: string; readonly streams: readonly string[] | 'all' },
): AsyncGenerator<string> {
  const end = (await store.logHead()).position
  const chosen = streams === 'all' ? await allOf(store, namespace, end) : await these(store, streams)
  const digest = createHash('sha256')
  const said = (text: string): string => {
    digest.update(text)
    return text
  }
  const total = chosen.reduce((sum, { revision }) => sum + revision + 1, 0)
  const manifest = {
    refold: 'export',
    version: BUNDLE_VERSION,
    namespace,
    streams: chosen.length,
    events: total,
  } as const
  yield said(lineOf(manifest))
  for (const { stream, basis, revision, hash } of chosen) yield said(lineOf({ stream, basis, revision, hash }))
  const walk = new ChainWalk(sha256)
  const blobs = new Set<string>()
  const pages =
    chosen.length <= READ_APART
      ? mergedStreams(store, chosen)
      : sifted(store, end, new Map(chosen.map((one) => [one.stream, one])))
  for await (const page of pages) {
    let text = ''
    for (const event of page) {
      refuseBreak(walk.take(event))
      const { texts, attachments } = blobsOfRaw(event)
      for (const hash of [...texts, ...attachments]) {
        if (blobs.has(hash)) continue
        const base64 = await wholeBlob(store, sha256, hash)
        if (base64 === undefined && texts.includes(hash)) throw new RefoldError('blob-missing', { blob: hash })
        if (base64 === undefined) continue
        blobs.add(hash)
        text += lineOf({ blob: hash, base64 })
      }
      text += eventLine(event)
    }
    if (text !== '') yield said(text)
  }
  const [unvouched] = walk.unvouched()
  refuseBreak(unvouched)
  yield lineOf({ end: { events: walk.events, blobs: blobs.size, sha256: digest.digest('hex') } })
}

async function these(store: EventStore, streams: readonly string[]): Promise<readonly Chosen[]> {
  const whole = [...new Set(streams)]
  const chosen: Chosen[] = []
  const choose = async (stream: string, basis: boolean, through: number | undefined): Promise<void> => {
    const [first] = await store.readRaw(stream, { from: 0, limit: 1 })
    const revision = through ?? (await store.head(stream))?.revision ?? -1
    const [last] = await store.readRaw(stream, { from: revision, limit: 1 })
    if (first && last) chosen.push({ stream, basis, revision, hash: last.hash, firstPosition: first.position })
  }
  for (const stream of whole) await choose(stream, false, undefined)
  for (const [stream, through] of await basesOf(store, whole)) if (through >= 0) await choose(stream, true, through)
  return chosen.toSorted((a, b) => a.firstPosition - b.firstPosition)
}

async function allOf(store: EventStore, namespace: string, end: number): Promise<readonly Chosen[]> {
  const chosen = new Map<string, Chosen>()
  for await (const page of rawLog(store, end))
    for (const { stream, revision, hash, position } of page) {
      const known = chosen.get(stream)
      if (known) chosen.set(stream, { ...known, revision, hash })
      else if (parseSessionStream(stream)?.namespace === namespace)
        chosen.set(stream, { stream, basis: false, revision, hash, firstPosition: position })
    }
  return [...chosen.values()]
}

async function* sifted(
  store: EventStore,
  end: number,
  chosen: ReadonlyMap<string, Chosen>,
): AsyncGenerator<readonly RawEvent[]> {
  for await (const page of rawLog(store, end))
    yield page.filter(({ stream, revision }) => revision <= (chosen.get(stream)?.revision ?? -1))
}

function refuseBreak(found: FoundBreak | undefined): void {
  if (found) throw new RefoldError('store-damaged', { file: 'The store', problem: describeBreak(found).message })
}

async function wholeBlob(store: EventStore, sha256: Sha256, hash: string): Promise<string | undefined> {
  const bytes = await store.blob(hash)
  if (!bytes) return undefined
  if (sha256(bytes) !== hash)
    throw new RefoldError('store-damaged', { file: 'The store', problem: `the blob ${hash} has other bytes` })
  return Buffer.from(bytes).toString('base64')
}
