import type { EventRef } from '@refold/events'
import { childrenOf } from '../read/delegates-under.ts'
import { formsBetween, refOf } from '../read/entry-forms.ts'
import { rangeOf, type HiddenRange } from '../read/hidden-at.ts'
import { findEntry, hiddenIn, levelsOf, type Level } from '../read/levels.ts'
import type { EntryRow } from '../rules/transcript-rows.ts'
import type { TipRow } from '../rules/tips-rows.ts'
import type { TableReaders } from '../tables.ts'

export type SearchReaders = Pick<
  TableReaders,
  'tips' | 'edges' | 'transcripts' | 'entries' | 'rewinds' | 'versions' | 'wireForms'
>

/** An event with words, and the message or note that they are of. */
export interface FoundEvent extends EventRef {
  readonly id: string
}

/** A session that shows an event's words now. */
export interface Showing {
  readonly tip: Readonly<TipRow>
  readonly entry: Readonly<EntryRow>
}

interface Reader {
  readonly tip: Readonly<TipRow>
  readonly levels: readonly Level[]
  readonly hidden: readonly HiddenRange[]
}

/**
 * Says which living sessions show an event's words: the one that it was written to, and all that branched from it since, in
 * the order of their start. A session shows them if its entry is in sight and these are its newest words there. Valid as
 * long as the rows do not change; what it looked up once for a stream it keeps.
 */
export function showings(
  rows: SearchReaders,
  isWanted: (tip: Readonly<TipRow>) => boolean,
): (found: FoundEvent) => readonly Showing[] {
  const known = new Map<string, readonly Reader[]>()
  const readersOf = (stream: string): readonly Reader[] => {
    let readers = known.get(stream)
    if (!readers) known.set(stream, (readers = livingReaders(rows, stream, isWanted)))
    return readers
  }
  return (found) => {
    const showing: Showing[] = []
    for (const reader of readersOf(found.stream)) {
      const entry = shownEntry(rows, reader, found)
      if (entry) showing.push({ tip: reader.tip, entry })
    }
    return showing
  }
}

/** Deleted ones are passed through: their branches keep what they showed. */
function livingReaders(
  rows: SearchReaders,
  stream: string,
  isWanted: (tip: Readonly<TipRow>) => boolean,
): readonly Reader[] {
  const streams = new Set([stream])
  for (const one of streams)
    for (const child of childrenOf(rows, one))
      if (rows.transcripts.get(child.stream)?.origin === one) streams.add(child.stream)
  const readers: Reader[] = []
  for (const one of streams) {
    const tip = rows.tips.get(one)
    if (!tip || tip.deleted || !isWanted(tip)) continue
    const levels = levelsOf(rows, one)
    readers.push({ tip, levels, hidden: hiddenIn(rows, levels) })
  }
  return readers
}

function shownEntry(
  rows: SearchReaders,
  { levels, hidden }: Reader,
  { stream, revision, id }: FoundEvent,
): Readonly<EntryRow> | undefined {
  // A message and a note may have the same id.
  for (const kind of ['message', 'note'] as const) {
    const found = findEntry(rows, levels, kind, id)
    if (!found || found.entry.shownTo === 'model' || rangeOf(hidden, found.entry.n)) continue
    const { n } = found.entry
    const content = refOf(levels, formsBetween(rows, levels, n, n + 1)(found).content)
    if (content.stream === stream && content.revision === revision) return found.entry
  }
  return undefined
}
