import { feedDifference, type FeedMessage, type FeedValue, type TableReaders } from '@refold/projections'
import type { Checkpoint } from '../views/views.ts'
import type { Refusal } from '../refusal.ts'
import type { PlannedAnswer } from './watched-answer.ts'

/** Changes kept for followers that are a little behind, and for those that come back. */
const MOST_MESSAGES = 256
const MOST_CHARACTERS = 4 * 1024 * 1024

interface Kept {
  readonly message: FeedMessage
  readonly characters: number
}

/** One query's answer and its last changes, for all who follow it. */
export class Watched {
  followers = 0
  /** What ended it. */
  problem: { readonly thrown: unknown } | undefined
  readonly #plan: (rows: TableReaders, now: number) => PlannedAnswer | Refusal
  #planned: PlannedAnswer | undefined
  #fingerprint: string | undefined
  #value: FeedValue | undefined
  #cursor = ''
  #position = -1
  /** Messages at this position so far: the clock changes answers, too. */
  #atPosition = 0
  #kept: Kept[] = []
  #characters = 0
  /** Number of the first kept message. */
  #first = 0
  readonly #waiting = new Set<() => void>()

  constructor(plan: (rows: TableReaders, now: number) => PlannedAnswer | Refusal) {
    this.#plan = plan
  }

  /** When the clock will change the answer. */
  get until(): number {
    return this.#planned?.until ?? Infinity
  }

  /** The answer of this moment, unless nothing can have changed it. */
  look(rows: TableReaders, now: number): PlannedAnswer | Refusal | undefined {
    const { streams, until = Infinity } = this.#planned ?? {}
    if (streams && now < until && fingerprintOf(rows, streams) === this.#fingerprint) return undefined
    const planned = this.#plan(rows, now)
    this.#planned = planned.ok ? planned : undefined
    this.#fingerprint = planned.ok && planned.streams ? fingerprintOf(rows, planned.streams) : undefined
    return planned
  }

  publish({ position, hash, logId }: Checkpoint, answer: FeedValue | Refusal): void {
    const number = position === this.#position ? this.#atPosition : 0
    const cursor = `${position}.${number}.${hash}.${logId}`
    const message = this.#messageOf(cursor, answer)
    if (!message) return
    this.#value = isRefused(answer) ? undefined : answer
    this.#cursor = cursor
    this.#position = position
    this.#atPosition = number + 1
    this.#keep(message)
    for (const wake of this.#waiting) wake()
  }

  /** Ends it: its followers are told what went wrong. */
  fail(thrown: unknown): void {
    this.problem = { thrown }
    for (const wake of this.#waiting) wake()
  }

  /** Number of the message behind the one with this cursor; undefined where that one is no longer known. */
  behind(cursor: string): number | undefined {
    const at = this.#kept.findIndex(({ message }) => message.cursor === cursor)
    return at < 0 ? undefined : this.#first + at + 1
  }

  /** The message with this number, or a snapshot where it is no longer kept or none is asked for; and the number behind. */
  message(number: number | undefined): { readonly message: FeedMessage; readonly next: number } | undefined {
    const next = this.#first + this.#kept.length
    const last = this.#kept.at(-1)
    if (!last) return undefined
    if (number !== undefined && number >= next) return undefined
    const kept = number === undefined ? undefined : this.#kept[number - this.#first]
    if (kept && number !== undefined) return { message: kept.message, next: number + 1 }
    if (!this.#value) return { message: last.message, next }
    const rows = [...this.#value.rows].map(([key, row]) => ({ key, row }))
    return { message: { kind: 'snapshot', cursor: this.#cursor, head: this.#value.head, rows }, next }
  }

  /** Called at the next message, once; returns how to stop waiting. */
  onMessage(wake: () => void): () => void {
    this.#waiting.add(wake)
    return () => this.#waiting.delete(wake)
  }

  #messageOf(cursor: string, answer: FeedValue | Refusal): FeedMessage | undefined {
    if (isRefused(answer)) {
      const isKnown = this.#kept.length > 0 && !this.#value
      return isKnown ? undefined : { kind: 'gone', cursor, code: answer.code, message: answer.message }
    }
    if (this.#value) {
      const change = feedDifference(this.#value, answer)
      return change && { kind: 'change', cursor, ...change }
    }
    const rows = [...answer.rows].map(([key, row]) => ({ key, row }))
    return { kind: 'snapshot', cursor, head: answer.head, rows }
  }

  #keep(message: FeedMessage): void {
    const characters = JSON.stringify(message).length
    this.#kept.push({ message, characters })
    this.#characters += characters
    while (this.#kept.length > MOST_MESSAGES || (this.#kept.length > 1 && this.#characters > MOST_CHARACTERS)) {
      this.#characters -= this.#kept.shift()?.characters ?? 0
      this.#first += 1
    }
  }
}

function fingerprintOf(rows: TableReaders, streams: readonly string[]): string {
  return streams
    .map(
      (stream) => `${rows.transcripts.get(stream)?.revision ?? -1}${rows.tips.get(stream)?.deleted ? ' deleted' : ''}`,
    )
    .join()
}

function isRefused(answer: FeedValue | Refusal): answer is Refusal {
  return 'ok' in answer
}
