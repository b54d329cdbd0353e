import { saneTime, withinBurst } from './clock.ts'
import { attach, type Entry } from './entry.ts'
import type { MessageRow } from './message-row.ts'
import { sameMessage } from './same-message.ts'
import { bestStretch, type Stretch } from './stretch.ts'
import { note, type Talk } from './talk.ts'
import { isUniqueCallId } from './tool-call.ts'

/**
 * Takes rows that repeat earlier ones without any summary, as attempts that failed leave them. Equal words
 * are not enough: the run must keep the times of its originals, or be written in one go, reach the end of
 * what was live, and hold call ids that no provider gives twice. Answers how many rows it took.
 */
export function takeRepeat(talk: Talk, rows: readonly MessageRow[], at: number): number {
  const pairs = sameTimes(talk, rows, at) ?? sameBurst(talk, rows, at)
  if (pairs === null) return 0
  for (const { row, entry } of pairs) {
    attach(entry, row, 'copy')
    note(talk, entry, row)
  }
  return new Set(pairs.map((pair) => pair.row)).size
}

interface Repeat {
  readonly row: MessageRow
  readonly entry: Entry
}

function sameTimes(talk: Talk, rows: readonly MessageRow[], at: number): readonly Repeat[] | null {
  const pairs: Repeat[] = []
  let last = -1
  for (let i = at; i < rows.length; i++) {
    const row = rows[i]
    const entry = row === undefined ? undefined : firstAtItsTime(talk, row, last)
    if (row === undefined || entry === undefined) break
    last = talk.places.get(entry) ?? last
    pairs.push({ row, entry })
  }
  if (pairs.length === 0) return null
  const times = new Set(pairs.map((pair) => pair.row.time))
  return times.size > 1 || (pairs.length === 1 && isTelling(talk, pairs[0]?.row.time ?? null)) ? pairs : null
}

/** So many messages at one time say that the clock stood still. */
const crowd = 32

/** The first entry after `last` that the row repeats with its time. */
function firstAtItsTime(talk: Talk, row: MessageRow, last: number): Entry | undefined {
  const atThatTime = row.time === null ? undefined : talk.byTime.get(row.time)
  if (atThatTime === undefined || atThatTime.size > crowd) return undefined
  const place = (entry: Entry): number => talk.places.get(entry) ?? -1
  return [...atThatTime]
    .filter((entry) => place(entry) > last && sameMessage(entry, row))
    .sort((a, b) => place(a) - place(b))[0]
}

/** One row alone is proven by its time only if that has fractions and nothing else happened at it. */
function isTelling(talk: Talk, time: number | null): boolean {
  const sane = saneTime(time, { now: Number.POSITIVE_INFINITY })
  return sane !== null && !Number.isInteger(sane) && talk.byTime.get(sane)?.size === 1
}

const fewestInBurst = 3

function sameBurst(talk: Talk, rows: readonly MessageRow[], at: number): readonly Repeat[] | null {
  const row = rows[at]
  if (row === undefined) return null
  const burst = burstFrom(rows, at)
  const repeatsCalls = burst.some(({ callIds }) => callIds.some((id) => isUniqueCallId(id) && talk.callIds.has(id)))
  if (!repeatsCalls && !isRewritten(talk, row)) return null
  const found = bestStretch(talk.live, burst, { after: null })
  if (found === null || !found.reachesEnd) return null
  const calls = found.pairs.some(({ row: { callIds } }) => callIds.some(isUniqueCallId))
  const isRepeat = (calls && found.pairs.length >= fewestInBurst) || (found.from === 0 && allRewritten(found))
  return isRepeat
    ? found.pairs.flatMap(({ row: copy, entries }) => entries.map((entry) => ({ row: copy, entry })))
    : null
}

/**
 * Pruning archives all that was live and writes it again with short outputs, without a summary. What is
 * archived by a compaction stands before that compaction's summary, and so does all that was said after it.
 */
function isRewritten(talk: Talk, row: MessageRow): boolean {
  const first = talk.live[0]
  return row.state === 'live' && first !== undefined && !hasLiveUse(first, row.sessionId)
}

function allRewritten(found: Stretch): boolean {
  return found.pairs.every(
    ({ row, entries }) => row.state === 'live' && entries.every((entry) => !hasLiveUse(entry, row.sessionId)),
  )
}

/** Whether the entry is not archived, or stands in another segment, where nothing is. */
function hasLiveUse(entry: Entry, session: string): boolean {
  return entry.uses.some((use) => use.row.state !== 'archived' || use.row.sessionId !== session)
}

/** The rows from `at` on that were written in one go. */
function burstFrom(rows: readonly MessageRow[], at: number): readonly MessageRow[] {
  let end = at + 1
  while (end < rows.length && withinBurst(rows[end - 1]?.time ?? null, rows[end]?.time ?? null)) end++
  return rows.slice(at, end)
}
