import type { EntryRow, TranscriptRow } from '../rules/transcript-rows.ts'
import type { TableReaders } from '../tables.ts'
import { hiddenAt, mergeRanges, type HiddenRange } from './hidden-at.ts'

type Readers = Pick<TableReaders, 'transcripts' | 'entries' | 'rewinds'>

/**
 * One stream that a transcript is read from: the session itself (the first level), then what it branched from, and so on.
 * All levels count entries in the same numbers; a level owns `[own, bound)`.
 */
export interface Level {
  readonly stream: string
  /** Revision as of which the stream counts; `Infinity` for now. */
  readonly at: number
  readonly own: number
  /** Entries of this stream and those behind it count below this number only. */
  readonly bound: number
  /** Shown messages before `bound`. */
  readonly boundShown: number
}

/** Its numbers before anything happened. */
export function emptyTranscript(stream: string): TranscriptRow {
  return {
    stream,
    revision: -1,
    latest: 0,
    timed: 0,
    next: 0,
    shown: 0,
    origin: null,
    asOf: 0,
    since: 0,
    inherited: 0,
    inheritedShown: 0,
  }
}

/**
 * The levels of a session as of a revision, itself first. Costs one look-up a level, and for the past some twenty more.
 * Ends on any rows: inheritance is only ever written where it closes no circle.
 */
export function levelsOf(rows: Readers, stream: string, at: number = Infinity): readonly [Level, ...Level[]] {
  let transcript = transcriptAt(rows, stream, at)
  const [bound, boundShown] = endAt(rows, transcript, at)
  const first: Level = { stream, at, own: transcript.inherited, bound, boundShown }
  const levels: [Level, ...Level[]] = [first]
  let nearer = first
  while (transcript.origin !== null) {
    const behind = transcriptAt(rows, transcript.origin, transcript.asOf)
    const cut = { bound: transcript.inherited, boundShown: transcript.inheritedShown }
    const { bound, boundShown } = cut.bound < nearer.bound ? cut : nearer
    nearer = { stream: behind.stream, at: transcript.asOf, own: behind.inherited, bound, boundShown }
    levels.push(nearer)
    transcript = behind
  }
  return levels
}

function transcriptAt(rows: Readers, stream: string, at: number): Readonly<TranscriptRow> {
  const transcript = rows.transcripts.get(stream)
  return transcript && (transcript.origin === null || transcript.since <= at) ? transcript : emptyTranscript(stream)
}

/** Number of the first entry that is not there yet at a revision, and the shown messages before it. */
function endAt(rows: Readers, transcript: TranscriptRow, at: number): readonly [number, number] {
  const { stream, inherited, next } = transcript
  const last = at === Infinity || next === inherited ? undefined : rows.entries.get(stream, next - 1)
  if (!last || last.revision <= at) return [next, transcript.shown]
  const n = firstAfter(rows, transcript, at)
  return [n, rows.entries.get(stream, n)?.shownBefore ?? transcript.shown]
}

/** Number of the first own entry that appeared after a revision. Own entries are in the order of their revisions. */
export function firstAfter(rows: Pick<TableReaders, 'entries'>, transcript: TranscriptRow, revision: number): number {
  let [low, high] = [transcript.inherited, transcript.next]
  while (low < high) {
    const middle = (low + high) >>> 1
    const entry = rows.entries.get(transcript.stream, middle)
    if (entry && entry.revision > revision) high = middle
    else low = middle + 1
  }
  return low
}

export interface Found {
  readonly entry: Readonly<EntryRow>
  /** Index of the level that owns it. */
  readonly level: number
}

/** An entry by kind and id, in the session or in what it begins with. */
export function findEntry(
  rows: Pick<TableReaders, 'entries'>,
  levels: readonly Level[],
  kind: string,
  id: string,
): Found | undefined {
  for (const [level, { stream, own, bound }] of levels.entries()) {
    if (bound <= own) continue
    const entry = rows.entries.find('id', stream, kind, id)
    if (entry && entry.n < bound) return { entry, level }
  }
  return undefined
}

/** An entry by its number. */
export function entryAt(
  rows: Pick<TableReaders, 'entries'>,
  levels: readonly Level[],
  n: number,
): Readonly<EntryRow> | undefined {
  const owner = levels.find(({ own, bound }) => own <= n && n < bound)
  return owner && rows.entries.get(owner.stream, n)
}

/** What one level's own rewinds hide, within what counts of it. */
function hiddenBy(
  rows: Pick<TableReaders, 'rewinds'>,
  { stream, at, bound, boundShown }: Level,
  query: { readonly after: readonly [number]; readonly before?: readonly [number] },
): readonly HiddenRange[] {
  if (bound === 0) return []
  const rewinds =
    at === Infinity
      ? rows.rewinds.range('open', { prefix: [stream, true], ...query, limit: Infinity })
      : rows.rewinds.range('end', { prefix: [stream], ...query, limit: Infinity })
  return hiddenAt(rewinds, at)
    .filter((range) => range.from < bound)
    .map((range) => (range.to <= bound ? range : { ...range, to: bound, shownAtTo: boundShown }))
}

/**
 * What a session does not show: its own rewinds, and those that its origins had at the cut. `from`: only those that reach
 * beyond this entry, which is all that a page at the end needs to know. Costs as much as these, whatever came later.
 */
export function hiddenIn(
  rows: Pick<TableReaders, 'rewinds'>,
  levels: readonly Level[],
  from = 0,
): readonly HiddenRange[] {
  return mergeRanges(
    levels.flatMap((level, index) =>
      // A rewind never reaches beyond what was there when it was made; an origin's cut may be older than that.
      hiddenBy(rows, level, index === 0 ? { after: [from], before: [level.bound + 1] } : { after: [from] }),
    ),
  )
}
