import { CHAIN_START, chainHash, payloadDigest, purgeDigest } from './hash-chain.ts'
import type { RawEvent, StreamHead } from './event-store.ts'
import type { Sha256 } from './sha256.ts'

/** What is wrong with an event, or with the place where it should stand. */
export type ChainProblem =
  /** An event before it is missing, or stands later in the log. */
  | 'gap'
  /** It is not what was recorded: its hash fits neither its own content nor the event before it. */
  | 'changed'
  /** What it said is gone, and no later event of its stream says that it was purged. */
  | 'erased'
  /** What it said was replaced, and no later event of its stream says that it was redacted to this. */
  | 'masked'
  /** A text or attachment that it refers to is not there. */
  | 'blob-missing'
  /** A text or attachment that it refers to has other bytes. */
  | 'blob-changed'

export interface ChainBreak {
  readonly stream: string
  readonly revision: number
  /** Null in a file, whose events have no position. */
  readonly position: number | null
  readonly problem: ChainProblem
}

interface Walked {
  revision: number
  hash: string
  /** Erased or masked events that no later event has named yet, by event id. */
  open: Map<string, ChainBreak & { readonly digest: string | null }> | undefined
  /** Nothing after a break can be judged by the chain. */
  isBroken: boolean
}

/**
 * Walks the chains of many streams at once, each event in its stream's order; keeps one small record a stream. What a
 * later event has to vouch for is only known at the end.
 */
export class ChainWalk {
  readonly #sha256: Sha256
  readonly #streams = new Map<string, Walked>()
  events = 0

  constructor(sha256: Sha256) {
    this.#sha256 = sha256
  }

  get streams(): number {
    return this.#streams.size
  }

  head(stream: string): StreamHead | undefined {
    const walked = this.#streams.get(stream)
    return walked && walked.revision >= 0 ? { revision: walked.revision, hash: walked.hash } : undefined
  }

  /** Whether this is the last event of its stream that the chain bears out. */
  isLast({ stream, hash }: RawEvent): boolean {
    return this.#streams.get(stream)?.hash === hash
  }

  /** The heads of all streams walked so far. */
  *heads(): IterableIterator<StreamHead & { readonly stream: string }> {
    for (const [stream, { revision, hash }] of this.#streams) yield { stream, revision, hash }
  }

  /** What is wrong with this event; undefined also for all that follows a break in its stream. */
  take(event: RawEvent): ChainBreak | undefined {
    this.events += 1
    const { stream, revision } = event
    let walked = this.#streams.get(stream)
    if (walked === undefined) {
      walked = { revision: -1, hash: CHAIN_START, open: undefined, isBroken: false }
      this.#streams.set(stream, walked)
    }
    if (walked.isBroken) return undefined
    const problem = this.#problem(event, walked)
    if (problem !== undefined) {
      walked.isBroken = true
      return { stream, revision: problem === 'gap' ? walked.revision + 1 : revision, position: event.position, problem }
    }
    walked.revision = revision
    walked.hash = event.hash
    if (event.digest !== null) this.#open(event, walked)
    else if (walked.open !== undefined) close(this.#sha256, event, walked.open)
    return undefined
  }

  /** What no later event vouched for, in the order in which it was met. */
  *unvouched(): IterableIterator<ChainBreak> {
    for (const { open } of this.#streams.values())
      for (const { stream, revision, position, problem } of open?.values() ?? [])
        yield { stream, revision, position, problem }
  }

  #problem(event: RawEvent, before: Walked): ChainProblem | undefined {
    if (event.revision !== before.revision + 1) return 'gap'
    const { payload, salt } = event
    if (event.digest === null && (payload === null || salt === null)) return 'erased'
    const digest = event.digest ?? payloadDigest(this.#sha256, salt ?? '', payload ?? '')
    return chainHash(this.#sha256, before.hash, event, digest) === event.hash ? undefined : 'changed'
  }

  #open({ id, stream, revision, position, payload, salt }: RawEvent, walked: Walked): void {
    const problem = payload === null ? 'erased' : 'masked'
    const digest = payload === null ? null : payloadDigest(this.#sha256, salt ?? '', payload)
    walked.open ??= new Map()
    walked.open.set(id, { stream, revision, position, problem, digest })
  }
}

type Open = Map<string, ChainBreak & { readonly digest: string | null }>

/** Takes away what this event vouches for. */
function close(sha256: Sha256, { type, payload }: RawEvent, open: Open): void {
  if (type !== 'PurgeStarted' && type !== 'Redacted') return
  const data = parsed(payload ?? 'null')
  if (type === 'PurgeStarted') closePurged(sha256, data, open)
  if (type !== 'Redacted') return
  for (const target of listIn(data, 'targets')) {
    if (typeof target !== 'object' || target === null || !('eventId' in target) || !('digest' in target)) continue
    const { eventId, digest } = target
    if (typeof eventId !== 'string') continue
    const masked = open.get(eventId)
    if (masked !== undefined && masked.digest === digest) open.delete(eventId)
  }
}

/** A purge vouches that payloads are gone, and for just what it left of others. */
function closePurged(sha256: Sha256, data: unknown, open: Open): void {
  const named = listIn(data, 'eventIds').filter((id): id is string => typeof id === 'string' && open.has(id))
  const masked = named.flatMap((id) => open.get(id)?.digest ?? [])
  const digest = typeof data === 'object' && data !== null && 'digest' in data ? data.digest : undefined
  const fits = masked.length === 0 || purgeDigest(sha256, masked) === digest
  for (const id of named) if (fits || open.get(id)?.digest === null) open.delete(id)
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload)
  } catch {
    return null // names nothing
  }
}

function listIn(data: unknown, field: string): readonly unknown[] {
  const list =
    typeof data === 'object' && data !== null ? Object.entries(data).find(([name]) => name === field) : undefined
  return Array.isArray(list?.[1]) ? list[1] : []
}
