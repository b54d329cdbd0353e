import {
  ChainWalk,
  decodeEvent,
  isClaimStream,
  isKnown,
  isRefoldError,
  isSessionStream,
  type AnyRecorded,
  type EventStore,
  type RawEvent,
  type Sha256,
} from '@refold/events'
import { fold, plainRows, tables, type Rows, type Tables } from '@refold/projections'
import { evolveClaim, initialClaim } from '../deciding/claim-state.ts'
import { evolveSession } from '../deciding/evolve-session.ts'
import { initialSession, type SessionState } from '../deciding/session-state.ts'
import { BlobCheck, blobsOfRaw } from '../integrity/blob-check.ts'
import { rawLog } from '../integrity/raw-pages.ts'
import { describeBreak } from '../integrity/verify-report.ts'
import { danglingReferences } from './dangling-references.ts'
import type { SeenClaim } from './expected-claims.ts'
import { finding, type Finding, type FindingPlace } from './finding.ts'
import type { FindingCode } from './finding-kinds.ts'

export interface ExamineLogOptions {
  readonly store: EventStore
  readonly sha256: Sha256
  /** Position up to which rows are folded; null: none are. */
  readonly foldUpTo: number | null
  /** Told of the state of each session after each of its events. */
  readonly onState?: (stream: string, state: SessionState, hash: string) => void
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

/** What one walk through the whole log brings to light. */
export interface ExaminedLog {
  readonly findings: readonly Finding[]
  readonly position: number
  readonly streams: number
  readonly events: number
  readonly blobs: number
  /** False where an event could not be read: then nothing below can be relied on. */
  readonly isFoldable: boolean
  readonly sessions: ReadonlyMap<string, SessionState>
  readonly claims: ReadonlyMap<string, SeenClaim>
  /** As of `foldUpTo`. */
  readonly rows: Rows<Tables>
}

/** Reads the log once: chain, blobs, session states, claims, rows. Memory grows with the rows. */
export async function examineLog(options: ExamineLogOptions): Promise<ExaminedLog> {
  const { store, sha256, onProgress, signal } = options
  // Before the head is asked for: what is stored by then was committed with its events.
  const stored = (await store.blobHashes?.()) ?? []
  const { position } = await store.logHead()
  const walk = new ChainWalk(sha256)
  const blobs = new LogBlobs(new BlobCheck(store, sha256))
  const folding = new Folding(options)
  const findings: Finding[] = []
  try {
    for await (const page of rawLog(store, position)) {
      for (const raw of page) {
        const broken = walk.take(raw)
        if (broken) findings.push(aboutBreak(broken))
        if (walk.isLast(raw)) findings.push(...(await blobs.take(raw)))
        else folding.isFoldable = false
        findings.push(...folding.take(raw))
      }
      onProgress?.(page.at(-1)?.position ?? position, position)
      signal?.throwIfAborted()
      await new Promise((resolve) => setImmediate(resolve))
    }
  } catch (problem) {
    if (!isRefoldError(problem, 'store-damaged')) throw problem
    folding.isFoldable = false
    findings.push(finding('log-unreadable', `After ${walk.events} events: ${problem.fields.problem}.`))
  }
  for (const broken of walk.unvouched()) findings.push(aboutBreak(broken))
  if (folding.isFoldable)
    for (const blob of stored.filter((hash) => !blobs.seen.has(hash)))
      findings.push(finding('blob-orphaned', `Blob ${blob}:`, { blob }))
  const { isFoldable, sessions, claims, rows } = folding
  const { streams, events } = walk
  return { findings, position, streams, events, blobs: blobs.seen.size, isFoldable, sessions, claims, rows }
}

function aboutBreak(broken: Parameters<typeof describeBreak>[0]): Finding {
  const { stream, revision, position, message } = describeBreak(broken)
  return finding('chain-broken', message, { stream, revision, ...(position !== null && { position }) })
}

/** Every blob that events refer to, each looked at once and told of once. */
class LogBlobs {
  readonly seen = new Set<string>()
  readonly #check: BlobCheck

  constructor(check: BlobCheck) {
    this.#check = check
  }

  async take(raw: RawEvent): Promise<readonly Finding[]> {
    const { texts, attachments } = blobsOfRaw(raw)
    const found: Finding[] = []
    const { stream, revision, position } = raw
    const look = async (blob: string, kind: 'texts' | 'attachments'): Promise<void> => {
      if (this.seen.has(blob)) return
      this.seen.add(blob)
      const problem = await this.#check.problemOf({ texts: [], attachments: [], [kind]: [blob] })
      if (problem === undefined) return
      const code: FindingCode = problem === 'blob-missing' ? 'blob-missing' : 'blob-damaged'
      const place: FindingPlace = { stream, revision, position, blob }
      found.push(finding(code, `Blob ${blob}, of revision ${revision} of ${stream}:`, place))
    }
    for (const blob of texts) await look(blob, 'texts')
    for (const blob of attachments) await look(blob, 'attachments')
    return found
  }
}

/** States and rows, as far as events can be read. */
class Folding {
  isFoldable = true
  readonly sessions = new Map<string, SessionState>()
  readonly claims = new Map<string, SeenClaim>()
  readonly rows = plainRows<Tables>(tables)
  readonly #options: ExamineLogOptions

  constructor(options: ExamineLogOptions) {
    this.#options = options
  }

  take(raw: RawEvent): readonly Finding[] {
    if (!this.isFoldable) return []
    const { type, payload, salt: _salt, digest: _digest, ...envelope } = raw
    const event = decodeEvent(envelope, type, payload)
    const { foldUpTo, onState } = this.#options
    if (isSessionStream(event.stream)) {
      const state = evolveSession(this.sessions.get(event.stream) ?? initialSession, event)
      this.sessions.set(event.stream, state)
      onState?.(event.stream, state, event.hash)
    } else if (isClaimStream(event.stream)) this.#takeClaim(event)
    if (foldUpTo === null || event.position > foldUpTo) return []
    const dangling = danglingReferences(event, this.rows).map((message) =>
      finding('reference-dangling', `${event.type} at revision ${event.revision} names message ${message}.`, {
        stream: event.stream,
        revision: event.revision,
        position: event.position,
      }),
    )
    fold(event, this.rows)
    return dangling
  }

  #takeClaim(event: AnyRecorded): void {
    const before = this.claims.get(event.stream) ?? { ...initialClaim, kind: '', namespace: '', lastHolder: null }
    const state = evolveClaim(before, event)
    const named = isKnown(event) && event.type === 'Claimed' ? event.data : before
    const lastHolder = state.holder ?? before.lastHolder
    this.claims.set(event.stream, { ...state, kind: named.kind, namespace: named.namespace, lastHolder })
  }
}
