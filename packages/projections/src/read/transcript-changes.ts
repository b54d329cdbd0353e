import { parseSessionStream } from '@refold/events'
import type { EntryRow } from '../rules/transcript-rows.ts'
import { without, type EntryRange } from './entry-ranges.ts'
import { formsBetween } from './entry-forms.ts'
import { rangeOf, type HiddenRange } from './hidden-at.ts'
import { hiddenIn, levelsOf, type Level } from './levels.ts'
import { isShown, plannedEntry, type PlannedEntry, type TranscriptReaders } from './planned-entry.ts'
import { walkEntries, type Walked } from './walk-entries.ts'

/** What a transcript shows at one revision and not at another, or otherwise. In the order of the transcript. */
export interface TranscriptChanges {
  readonly gained: CountedEntries<PlannedEntry>
  readonly lost: CountedEntries<PlannedEntry>
  readonly changed: CountedEntries<{ readonly before: PlannedEntry; readonly after: PlannedEntry }>
}

/** The first of a list, as many as were asked for, and how many there are. */
export interface CountedEntries<T> {
  readonly count: number
  readonly entries: readonly T[]
}

/** A transcript as of one revision. */
interface Then {
  readonly at: number
  readonly levels: readonly [Level, ...Level[]]
  readonly hidden: readonly HiddenRange[]
  readonly end: number
}

const CHUNK = 256

/**
 * The difference of a session's transcript between two revisions, in whichever order they are. Found by arithmetic over
 * intervals; `limit` bounds each list. Costs as much as the difference, the session's rewinds, compactions and delegates, whatever its length.
 */
export function transcriptChanges(
  rows: TranscriptReaders,
  stream: string,
  a: number,
  b: number,
  limit: number = Infinity,
): TranscriptChanges {
  const [before, after] = [thenOf(rows, stream, a), thenOf(rows, stream, b)]
  const onlyBefore = [...entriesIn(rows, before, without(inSight(before), inSight(after)))]
  const onlyAfter = [...entriesIn(rows, after, without(inSight(after), inSight(before)))]
  const both = touchedBetween(rows, stream, before, after).flatMap((n) => {
    const [was, is] = [entryIn(rows, before, n), entryIn(rows, after, n)]
    return was && is ? [{ was, is }] : []
  })
  const stays = both.filter(({ was, is }) => isShown(rows, before.levels, was) && isShown(rows, after.levels, is))
  const leaves = both.filter(({ was, is }) => isShown(rows, before.levels, was) && !isShown(rows, after.levels, is))
  const comes = both.filter(({ was, is }) => !isShown(rows, before.levels, was) && isShown(rows, after.levels, is))
  const changed = stays
    .map(({ was, is }) => ({ before: planned(rows, before, was), after: planned(rows, after, is) }))
    .filter((pair) => JSON.stringify(pair.before) !== JSON.stringify(pair.after))
  return {
    gained: inOrder(rows, after, [...onlyAfter, ...comes.map(({ is }) => is)], limit),
    lost: inOrder(rows, before, [...onlyBefore, ...leaves.map(({ was }) => was)], limit),
    changed: { count: changed.length, entries: changed.slice(0, limit) },
  }
}

function thenOf(rows: TranscriptReaders, stream: string, at: number): Then {
  const levels = levelsOf(rows, stream, at)
  return { at, levels, hidden: hiddenIn(rows, levels), end: levels[0].bound }
}

function inSight({ hidden, end }: Then): readonly EntryRange[] {
  return without([{ from: 0, to: end }], hidden)
}

function* entriesIn(rows: TranscriptReaders, then: Then, ranges: readonly EntryRange[]): Generator<Walked> {
  for (const { from, to } of ranges)
    for (const walked of walkEntries(rows, { ...then, from, to, chunk: CHUNK }))
      if (isShown(rows, then.levels, walked)) yield walked
}

/** One entry, if it is in sight then. */
function entryIn(rows: TranscriptReaders, { levels, hidden }: Then, n: number): Walked | undefined {
  const level = levels.findIndex(({ own, bound }) => own <= n && n < bound)
  const owner = levels[level]
  if (!owner || rangeOf(hidden, n)) return undefined
  const entry = rows.entries.get(owner.stream, n)
  return entry && { entry, level }
}

function planned(rows: TranscriptReaders, { levels }: Then, walked: Walked): PlannedEntry {
  const { n } = walked.entry
  return plannedEntry(rows, levels, formsBetween(rows, levels, n, n + 1), walked)
}

function inOrder(
  rows: TranscriptReaders,
  { levels }: Then,
  walked: readonly Walked[],
  limit: number,
): CountedEntries<PlannedEntry> {
  const count = walked.length
  const sorted = walked.toSorted((one, other) => one.entry.n - other.entry.n).slice(0, limit)
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (!first || !last) return { count, entries: [] }
  const formsOf = formsBetween(rows, levels, first.entry.n, last.entry.n + 1)
  return { count, entries: sorted.map((one) => plannedEntry(rows, levels, formsOf, one)) }
}

/** Numbers of entries that may read otherwise at the two revisions though they are there at both; in order. */
function touchedBetween(rows: TranscriptReaders, stream: string, one: Then, other: Then): readonly number[] {
  const [early, late] = one.at <= other.at ? [one, other] : [other, one]
  const isBetween = (revision: number | null): boolean =>
    revision !== null && early.at < revision && revision <= late.at
  const all = { prefix: [stream], limit: Infinity }
  const marks = [
    ...rows.compactions.range('key', all).flatMap((row) => (isBetween(row.undoneAt) ? [['compaction', row.id]] : [])),
    ...rows.rewinds.range('key', all).flatMap((row) => (isBetween(row.until) ? [['alternative', row.undoId]] : [])),
  ]
  const delegates = rows.reports
    .range('key', all)
    .filter(({ revision }) => isBetween(revision))
    .map(({ childStream }) => parseSessionStream(childStream)?.session)
  const found = [...marks, ...delegates.map((session) => ['delegate', session])].flatMap(([kind = '', id]) =>
    id === undefined ? [] : (rows.entries.find('id', stream, kind, id)?.n ?? []),
  )
  const versions = rows.versions
    .range('revision', { prefix: [stream], after: [early.at], before: [late.at + 1], limit: Infinity })
    .map(({ n }) => n)
  return [...new Set([...versions, ...found, ...failedBetween(rows, early, isBetween)])].toSorted((a, b) => a - b)
}

/** A turn that fails marks messages of its own at the end of what there was: see `markUnanswered`. */
function failedBetween(
  rows: TranscriptReaders,
  { levels: [{ stream, own, bound }] }: Then,
  isBetween: (revision: number | null) => boolean,
): readonly number[] {
  const failed: number[] = []
  let turn: string | null | undefined
  for (let n = bound - 1; n >= own; n--) {
    const entry: Readonly<EntryRow> | undefined = rows.entries.get(stream, n)
    if (entry?.kind !== 'message') continue
    turn ??= entry.turn
    if (turn === null || entry.turn !== turn) break
    if (isBetween(entry.failedAt)) failed.push(n)
  }
  return failed
}
