import { withinBurst } from './clock.ts'
import { type Entry, isUndone } from './entry.ts'
import { faceOf } from './face.ts'
import type { MessageRow } from './message-row.ts'
import { sameMessage, sameUid } from './same-message.ts'

/**
 * Rows that repeat one stretch of what was live. It is contiguous but for what its writer did not have in mind:
 * what was undone, older summaries, and what another surface said meanwhile.
 */
export interface Stretch {
  readonly pairs: readonly Pair[]
  /** Indices into the live list: where the stretch begins and what follows it. */
  readonly from: number
  readonly to: number
  readonly reachesEnd: boolean
  /** Entries within the stretch that no row repeats, though they were live. */
  readonly missed: readonly Entry[]
  /** Pairs whose entry was undone by all that its rows say so far: less likely, though a copy may say otherwise. */
  readonly revived: number
  /** Rows proven by a kept time or a uid, not only by their place. */
  readonly proven: number
}

export interface Pair {
  readonly row: MessageRow
  readonly entries: readonly Entry[]
  /** By a kept time or a uid. */
  readonly isProven: boolean
}

/** Where in time the rows must stand to count as copies. */
export interface Burst {
  /** Time of the row before the first one; `null` lets the first row set it. */
  readonly after: number | null
  /** Also accepts rows up to this time: a message older than its own session was copied into it. */
  readonly upTo?: number
}

/** The stretch of `live` from `from` on that `rows` repeat, as far as they do. */
export function stretchAt(live: readonly Entry[], from: number, rows: Iterable<MessageRow>, burst: Burst): Stretch {
  const pairs: Pair[] = []
  const missed: Entry[] = []
  let at = from
  let previous = burst.after
  let proven = 0
  let revived = 0
  let start = from
  let settled = { pairs: 0, missed: 0, revived: 0, to: from }
  for (const row of rows) {
    const step = nextMatch(live, at, row, pairs.length > 0)
    if (step === null) break
    const isProven = step.entries.some((entry) => proves(entry, row))
    const near = withinBurst(previous, row.time) || (previous === null && pairs.length === 0)
    const older = burst.upTo !== undefined && row.time !== null && row.time <= burst.upTo
    if (!isProven && !near && !older) break
    if (near) previous = row.time
    if (pairs.length === 0) start = step.from
    if (isProven) proven++
    else if (step.entries.some(isUndone)) revived++
    if (pairs.length > 0) missed.push(...gapBefore(pairs, live.slice(at, step.from)))
    pairs.push({ row, entries: step.entries, isProven })
    at = step.to
    const isGuess = !isProven && step.entries.some(isUndone)
    if (!isGuess) settled = { pairs: pairs.length, missed: missed.length, revived, to: at }
  }
  // What an ask at the end repeats of what was undone is chance: it was said again.
  pairs.length = settled.pairs
  missed.length = settled.missed
  const { to } = settled
  return {
    pairs,
    from: start,
    to,
    reachesEnd: live.slice(to).every(mayBeMissing),
    missed,
    revived: settled.revived,
    proven,
  }
}

/**
 * What the rows left out between two pairs. Whole turns are missing, not the end of one and the beginning of the
 * next: where the words allow it, the pair before is moved behind the gap.
 */
function gapBefore(pairs: Pair[], between: readonly Entry[]): readonly Entry[] {
  const gap = between.filter((entry) => !mayBeMissing(entry))
  const before = pairs.at(-1)
  const [held] = before?.entries ?? []
  const last = gap.at(-1)
  if (before === undefined || held === undefined || last === undefined || gap[0]?.role === 'user') return gap
  if (before.isProven || before.entries.length > 1 || !sameMessage(last, before.row)) return gap
  pairs[pairs.length - 1] = { ...before, entries: [last] }
  return [held, ...gap.slice(0, -1)]
}

/** The best of all stretches: the best proven, with nothing undone, to the end, the longest, without gaps, the latest. */
export function bestStretch(live: readonly Entry[], rows: readonly MessageRow[], burst: Burst): Stretch | null {
  let best: Stretch | null = null
  for (let from = 0; from < live.length; from++) {
    const first = rows[0]
    if (first === undefined || nextMatch(live, from, first, false) === null) continue
    const found = stretchAt(live, from, rows, burst)
    if (found.pairs.length > 0 && (best === null || isBetter(found, best))) best = found
  }
  return best
}

function isBetter(a: Stretch, b: Stretch): boolean {
  if (a.proven !== b.proven) return a.proven > b.proven
  if (a.revived !== b.revived) return a.revived < b.revived
  if (a.reachesEnd !== b.reachesEnd) return a.reachesEnd
  if (a.pairs.length !== b.pairs.length) return a.pairs.length > b.pairs.length
  return a.missed.length <= b.missed.length
}

interface Step {
  readonly entries: readonly Entry[]
  readonly from: number
  readonly to: number
}

/** So many messages of another surface may stand between two that were written together. */
const mostMissed = 40

/**
 * What a row repeats at this place of the list: what its time or uid proves; else what is next and still live. Next
 * to that an undone message is a guess, though a better one than what stands behind others that were left out.
 */
function nextMatch(live: readonly Entry[], at: number, row: MessageRow, maySkip: boolean): Step | null {
  let next: Step | null = null
  let behindOthers: Step | null = null
  let undone: Step | null = null
  let missed = 0
  for (let from = at; from < live.length; from++) {
    const entry = live[from]
    if (entry === undefined) break
    const found = matchAt(live, from, entry, row)
    if (found !== null) {
      const step = { ...found, from }
      if (proves(entry, row)) return step
      if (isUndone(entry)) undone ??= step
      else if (missed === 0) next ??= step
      else behindOthers ??= step
    }
    if (!maySkip || (!mayBeMissing(entry) && ++missed > mostMissed)) break
  }
  return next ?? undone ?? behindOthers
}

/** The entries from `from` on that the row holds. */
function matchAt(live: readonly Entry[], from: number, entry: Entry, row: MessageRow): Omit<Step, 'from'> | null {
  const next = live[from + 1]
  if (entry.kind === 'summary') {
    if (!sameMessage(entry, row)) return null
    const carries = row.carrier?.human != null && next !== undefined && sameMessage(next, row)
    return carries ? { entries: [entry, next], to: from + 2 } : { entries: [entry], to: from + 1 }
  }
  if (sameMessage(entry, row)) return { entries: [entry], to: from + 1 }
  const merged = mergedAt(live, from, row)
  if (merged !== null) return merged
  if (!sameUid(entry, row)) return null
  let to = from + 1
  while (row.absorbedUids.includes(live[to]?.first.uid ?? '\0')) to++
  return { entries: live.slice(from, to), to }
}

const mostMerged = 8

/** Repairs before a request join neighbours of one role by a blank line; a batch stores what they joined. */
function mergedAt(live: readonly Entry[], from: number, row: MessageRow): Omit<Step, 'from'> | null {
  if (row.role === 'tool' || row.callIds.length > 0) return null
  const wanted = faceOf(row.text)
  const entries: Entry[] = []
  for (let at = from; at < live.length && entries.length < mostMerged; at++) {
    const entry = live[at]
    if (entry?.kind === 'summary') continue
    if (entry === undefined || entry.role !== row.role) return null
    entries.push(entry)
    const joined = entries.map(({ text }) => text).join('\n\n')
    if (joined.length > row.text.length + 200) return null
    if (entries.length > 1 && faceOf(joined) === wanted) return { entries, to: at + 1 }
  }
  return null
}

/** What was undone is not sent, and the older summary gives way to the newer. */
function mayBeMissing(entry: Entry): boolean {
  return entry.kind === 'summary' || isUndone(entry)
}

/** A kept time or uid says of a row what it repeats. */
function proves(entry: Entry, row: MessageRow): boolean {
  return sameUid(entry, row) || (row.time !== null && entry.uses.some((use) => use.row.time === row.time))
}
