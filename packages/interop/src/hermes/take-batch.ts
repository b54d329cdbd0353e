import { attach, type Entry, keyOf, newEntry } from './entry.ts'
import type { Compaction } from './compaction.ts'
import type { MessageRow } from './message-row.ts'
import { sameMessage } from './same-message.ts'
import { bestStretch, type Pair, type Stretch, stretchAt } from './stretch.ts'
import { add, joinPair, note, type Talk } from './talk.ts'
import { withinBurst } from './clock.ts'

/** A compaction protects up to three messages of the head; a little more costs nothing to look for. */
const mostHeadCopies = 8
const mostBeforeHead = 40

/**
 * Reads a compacted batch that begins at `rows[at]`: head copies, the row with the summary, copies of the
 * tail. Answers how many rows it took, or 0 when none begins here. What follows them in the same burst is new.
 */
export function takeBatch(talk: Talk, rows: readonly MessageRow[], at: number): number {
  const carrierAt = carrierFrom(rows, at)
  const row = rows[carrierAt]
  const carrier = row?.carrier
  if (row === undefined || carrier == null) return 0
  const head = headCopies(talk, rows.slice(at, carrierAt), row)
  if (head === null) return 0

  const after = untilCarrier(rows, carrierAt + 1)
  const burst = { after: row.time }
  const carried =
    carrier.human === null && row.callIds.length === 0 ? null : tailWithCarrier(talk.live, [row, ...after])
  const tail = withoutNewAsk(talk.live, carried ?? bestStretch(talk.live, after, burst), row)
  if (head.length === 0 && tail === null && carrier.human === null && row.callIds.length === 0) {
    const known = knownSummary(talk, row)
    if (known !== undefined) {
      attach(known, row, 'copy')
      return 1
    }
  }
  const before = talk.live
  const how = howDone(before, row)

  const summary = newEntry('summary', row, carrier.summary, 'own', { part: 'summary' })
  for (const pair of head) joinPair(talk, pair)
  const holds = carrier.human !== null || row.callIds.length > 0
  const carriedBy = holds ? messageOf(talk, row, carried, tail) : null
  const tailPairs = (tail?.pairs ?? []).filter((pair) => pair.row !== row)
  for (const pair of tailPairs) joinPair(talk, pair)

  const kept = unique([
    ...head.flatMap((pair) => pair.entries),
    ...(carriedBy === null ? [] : [carriedBy]),
    ...tailPairs.flatMap((pair) => pair.entries),
  ])
  const unread =
    tail === null ? [] : [...tail.missed, ...before.slice(tail.to)].filter((entry) => entry.kind !== 'summary')
  const left = new Set([...kept, ...unread])
  const compaction: Compaction = {
    summary,
    row,
    how,
    kept,
    covered: before.filter((entry) => entry.kind !== 'summary' && !left.has(entry)),
    unread,
    carriedBy,
  }
  talk.places.set(summary, talk.entries.length - 0.5)
  note(talk, summary, row)
  talk.items.push({ kind: 'compaction', compaction })
  const headEntries = head.flatMap((pair) => pair.entries)
  const inHead = new Set(headEntries)
  talk.live = [...unique(headEntries), summary, ...kept.filter((entry) => !inHead.has(entry))]
  return carrierAt + 1 - at + tailPairs.length
}

/**
 * An ask at the end of a batch is new, though its words may be those of another surface that stand next in the
 * list: who had read that ask had read its answer, too.
 */
function withoutNewAsk(live: readonly Entry[], tail: Stretch | null, carrier: MessageRow): Stretch | null {
  const last = tail?.pairs.at(-1)
  if (tail === null || last === undefined || tail.reachesEnd || last.isProven) return tail
  if (last.row === carrier || last.row.role !== 'user' || live[tail.to]?.role !== 'assistant') return tail
  const pairs = tail.pairs.slice(0, -1)
  return pairs.length === 0 ? null : { ...tail, pairs, to: tail.to - last.entries.length }
}

/** A live summary that the next carrier repeats; then the rows may be a repeat of all that stands there. */
export function repeatsSummary(talk: Talk, rows: readonly MessageRow[], at: number): boolean {
  const row = rows[carrierFrom(rows, at)]
  return row !== undefined && knownSummary(talk, row) !== undefined
}

/** An undo that reaches into a carrier leaves its summary alone on a row of its own. */
function knownSummary(talk: Talk, row: MessageRow): Entry | undefined {
  return talk.live.find((entry) => entry.kind === 'summary' && sameMessage(entry, row))
}

/** A batch drops older summaries, so its tail ends before the next one. */
function untilCarrier(rows: readonly MessageRow[], from: number): readonly MessageRow[] {
  const next = rows.findIndex((row, at) => at >= from && row.carrier !== null)
  return rows.slice(from, next < 0 ? rows.length : next)
}

function carrierFrom(rows: readonly MessageRow[], at: number): number {
  for (let i = at; i <= at + mostHeadCopies; i++) if (rows[i]?.carrier != null) return i
  return -1
}

/** All rows before the summary must repeat the beginning of what was live, within the burst or with kept times. */
function headCopies(talk: Talk, rows: readonly MessageRow[], carrier: MessageRow): readonly Pair[] | null {
  if (rows.length === 0) return []
  const found = firstStretch(talk.live, rows)
  if (found === null) return null
  // A carrier that keeps the time of its message says nothing of when it was written.
  let next = keepsTime(talk, rows, carrier) ? null : carrier.time
  for (const { row, entries } of [...found.pairs].reverse()) {
    const keptTime = entries.some((entry) => entry.uses.some((use) => use.row.time === row.time))
    if (!keptTime && !withinBurst(row.time, next)) return null
    if (!keptTime) next = row.time
  }
  return found.pairs
}

function keepsTime(talk: Talk, before: readonly MessageRow[], { time }: MessageRow): boolean {
  return time !== null && (talk.byTime.has(time) || before.some((row) => row.time === time))
}

/** The first place where all rows fit; another surface may have spoken before the head, or something was undone. */
function firstStretch(live: readonly Entry[], rows: readonly MessageRow[]): Stretch | null {
  let best: Stretch | null = null
  for (let from = 0; from < Math.min(live.length, mostBeforeHead); from++) {
    const found = stretchAt(live, from, rows, { after: null, upTo: Number.POSITIVE_INFINITY })
    if (found.pairs.length === rows.length && (best === null || found.revived < best.revived)) best = found
    if (best?.revived === 0) return best
  }
  return best
}

/**
 * The stretch that begins with the carrier's own words. An ask without a tail must be the last that was said, for
 * it may stand nowhere else; an answer was always stored before.
 */
function tailWithCarrier(live: readonly Entry[], rows: readonly MessageRow[]): Stretch | null {
  const found = bestStretch(live, rows, { after: null })
  if (found === null) return null
  const isAnswer = rows[0]?.role === 'assistant'
  return isAnswer || found.pairs.length > 1 || found.reachesEnd || found.proven > 0 ? found : null
}

/** The message in the carrier: the one it repeats, an ask that it restates, or one that stands nowhere else. */
function messageOf(talk: Talk, row: MessageRow, carried: Stretch | null, tail: Stretch | null): Entry {
  const repeated = carried?.pairs[0]?.entries.at(-1) ?? restated(talk, row, tail)
  if (repeated !== undefined) {
    attach(repeated, row, 'carrier')
    note(talk, repeated, row)
    return repeated
  }
  const fresh = newEntry('message', row, row.text, 'carrier')
  add(talk, fresh)
  return fresh
}

function restated(talk: Talk, row: MessageRow, tail: Stretch | null): Entry | undefined {
  const known =
    row.uid === null ? undefined : talk.entries.find((entry) => entry.first.uid === row.uid && entry.role === row.role)
  if (known !== undefined || tail === null) return known
  return talk.live.slice(0, tail.from).findLast((entry) => entry.kind === 'message' && sameMessage(entry, row))
}

/** A failed rotation leaves in the same segment, live, what its summary covers. */
function howDone(before: readonly Entry[], carrier: MessageRow): Compaction['how'] {
  const own = before.flatMap((entry) => entry.uses.filter((use) => use.row.sessionId === carrier.sessionId))
  if (own.length === 0) return 'rotation'
  return own.some((use) => use.row.state === 'live') ? 'failed' : 'in place'
}

function unique(entries: readonly Entry[]): readonly Entry[] {
  return [...new Map(entries.map((entry) => [keyOf(entry.first) + entry.key, entry])).values()]
}
