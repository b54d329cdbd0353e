import type { EventOf, Recorded } from '@refold/events'
import { isShownMessage } from '../read/entry-role.ts'
import { countHidden, mergeRanges } from '../read/hidden-at.ts'
import { entryAt, findEntry, hiddenIn, levelsOf, type Level } from '../read/levels.ts'
import { rewindsOf } from '../read/open-rewinds.ts'
import type { TableRows } from '../tables.ts'
import { addEntry, transcriptOf } from './add-entry.ts'
import type { RewindRow, TranscriptRow } from './transcript-rows.ts'

/** Entries `[from, to)` with the shown messages before each end. */
type Interval = Pick<RewindRow, 'fromEntry' | 'toEntry' | 'shownAtFrom' | 'shownAtTo'>

/**
 * Hides what came after a message: one small row, however much that is. A message that the session does not have hides
 * nothing, and an undo id stands once.
 */
export function rewind(event: Recorded<EventOf<'Rewound'>>, rows: TableRows): void {
  const { stream, data } = event
  if (isKnown(rows, stream, data.undoId)) return
  const levels = levelsOf(rows, stream)
  const transcript = transcriptOf(rows, stream)
  const intervals = data.only
    ? singleEntries(rows, levels, data.only)
    : restAfter(rows, levels, transcript, data.lastThatStays)
  if (!intervals) return
  const hides = hidesMessages(rows, levels, intervals)
  write(rows, event, { undoId: data.undoId, intervals, undoes: null, single: data.only !== undefined })
  if (data.reason !== 'import' && hides) addEntry(rows, event, { kind: 'alternative', id: data.undoId })
}

/**
 * Returns to what stood before a rewind. What came since leaves under the new undo id; where the rewind itself was an
 * undo, what that had brought back leaves again with it. So switching back and forth loses nothing.
 */
export function undoRewind(event: Recorded<EventOf<'RewindUndone'>>, rows: TableRows): void {
  const { stream, revision, data } = event
  const undone = rewindsOf(rows, stream, data.undoId)
  const [first] = undone
  if (!first || first.until !== null || isKnown(rows, stream, data.newUndoId)) return
  for (const row of undone)
    rows.rewinds.update([stream, row.undoId, row.fromEntry], (draft) => {
      draft.until = revision
      draft.open = false
    })
  const levels = levelsOf(rows, stream)
  const again = first.undoes === null ? [] : rewindsOf(rows, stream, first.undoes)
  const since = first.single ? [] : cameSince(rows, levels, transcriptOf(rows, stream), first)
  const intervals = [...again, ...since]
  const hides = hidesMessages(rows, levels, intervals)
  write(rows, event, { undoId: data.newUndoId, intervals, undoes: data.undoId, single: first.single })
  if (hides) addEntry(rows, event, { kind: 'alternative', id: data.newUndoId })
}

function isKnown(rows: TableRows, stream: string, undoId: string): boolean {
  return rows.rewinds.range('key', { prefix: [stream, undoId], limit: 1 }).length > 0
}

function restAfter(
  rows: TableRows,
  levels: readonly Level[],
  { next, shown }: TranscriptRow,
  lastThatStays: string | null,
): readonly Interval[] | undefined {
  if (lastThatStays === null) return [{ fromEntry: 0, toEntry: next, shownAtFrom: 0, shownAtTo: shown }]
  const last = findEntry(rows, levels, 'message', lastThatStays)?.entry
  if (!last) return undefined
  const shownAtFrom = last.shownBefore + (isShownMessage(last) ? 1 : 0)
  return [{ fromEntry: last.n + 1, toEntry: next, shownAtFrom, shownAtTo: shown }]
}

/** One interval for each run of messages and notes that stand side by side. */
function singleEntries(rows: TableRows, levels: readonly Level[], ids: readonly string[]): readonly Interval[] {
  const intervals: Interval[] = []
  const found = ids.flatMap(
    (id) => (findEntry(rows, levels, 'message', id) ?? findEntry(rows, levels, 'note', id))?.entry ?? [],
  )
  for (const entry of found.toSorted((a, b) => a.n - b.n)) {
    const shownAtTo = entry.shownBefore + (isShownMessage(entry) ? 1 : 0)
    const last = intervals.at(-1)
    if (last && entry.n <= last.toEntry) intervals[intervals.length - 1] = { ...last, toEntry: entry.n + 1, shownAtTo }
    else intervals.push({ fromEntry: entry.n, toEntry: entry.n + 1, shownAtFrom: entry.shownBefore, shownAtTo })
  }
  return intervals
}

/** What was appended after a rewind; nothing where that is only marks of further switching, which hide themselves. */
function cameSince(
  rows: TableRows,
  levels: readonly Level[],
  { next, shown }: TranscriptRow,
  rewind: Readonly<RewindRow>,
): readonly Interval[] {
  for (let n = rewind.next; n < next; n++) {
    const entry = entryAt(rows, levels, n)
    if (entry && entry.kind !== 'alternative')
      return [{ fromEntry: rewind.next, toEntry: next, shownAtFrom: rewind.shownAtNext, shownAtTo: shown }]
  }
  return []
}

/** True when a message that is in sight would leave: only then is there an alternative to point at. */
function hidesMessages(rows: TableRows, levels: readonly Level[], intervals: readonly Interval[]): boolean {
  const first = Math.min(...intervals.map(({ fromEntry }) => fromEntry))
  const hidden = hiddenIn(rows, levels, first) // what was hidden before makes no difference to what leaves
  const ranges = intervals.map((interval) => ({ ...interval, from: interval.fromEntry, to: interval.toEntry }))
  return countHidden(mergeRanges([...hidden, ...ranges])) > countHidden(hidden)
}

/** An undo id always gets a row, also where nothing leaves, so that it can be undone and stays taken. */
function write(
  rows: TableRows,
  { stream, revision }: { readonly stream: string; readonly revision: number },
  made: Pick<RewindRow, 'undoId' | 'undoes' | 'single'> & { readonly intervals: readonly Interval[] },
): void {
  const { undoId, undoes, single } = made
  const { next, shown } = transcriptOf(rows, stream)
  const nothing = { fromEntry: next, toEntry: next, shownAtFrom: shown, shownAtTo: shown }
  const something = made.intervals.filter(({ fromEntry, toEntry }) => fromEntry < toEntry)
  for (const { fromEntry, toEntry, shownAtFrom, shownAtTo } of something.length > 0 ? something : [nothing])
    rows.rewinds.insert({
      stream,
      undoId,
      fromEntry,
      toEntry,
      revision,
      until: null,
      open: true,
      next,
      shownAtNext: shown,
      shownAtFrom,
      shownAtTo,
      undoes,
      single,
    })
}
