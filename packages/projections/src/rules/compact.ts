import type { EventOf, Recorded } from '@refold/events'
import { isInContext } from '../read/entry-role.ts'
import { entryAt, findEntry, firstAfter, hiddenIn, levelsOf, type Level } from '../read/levels.ts'
import { formsBetween } from '../read/entry-forms.ts'
import { rangeOf } from '../read/hidden-at.ts'
import type { TableRows } from '../tables.ts'
import { transcriptOf } from './add-entry.ts'

/** Writes down what a summary covers and keeps. Reads only what it names, and what changed while it was written. */
export function compact(event: Recorded<EventOf<'Compacted'>>, rows: TableRows): void {
  const { stream, revision, data } = event
  if (rows.compactions.find('id', stream, data.compactionId)) return
  const levels = levelsOf(rows, stream)
  const coveredTo = endOfCovered(rows, levels, firstAfter(rows, transcriptOf(rows, stream), data.watermark))
  const numberOf = (id: string): number | undefined => {
    const found = findEntry(rows, levels, 'message', id) ?? findEntry(rows, levels, 'note', id)
    return found && found.entry.n < coveredTo ? found.entry.n : undefined
  }
  const kept = new Set(data.kept.flatMap((id) => numberOf(id) ?? []))
  for (const [place, { message }] of data.wireForms.entries()) {
    const n = numberOf(message)
    if (n !== undefined) rows.wireForms.insert({ stream, n, revision, place, cleared: false })
  }
  const carrier = data.carrier === undefined ? undefined : numberOf(data.carrier)
  const carries = carrier !== undefined && kept.has(carrier) && rows.wireForms.get(stream, carrier, revision)
  for (const n of stillGrowing(rows, levels, coveredTo, data.watermark)) kept.add(n)
  rows.compactions.insert({
    stream,
    revision,
    id: data.compactionId,
    coveredTo,
    carrier: carries ? carrier : null,
    undoneAt: null,
    brokenAt: null,
    live: true,
  })
  for (const n of kept) rows.kept.insert({ stream, revision, n, since: revision })
}

/** Marks behind the last message are not covered: a branch from that message still has the whole summary. */
function endOfCovered(rows: TableRows, levels: readonly Level[], end: number): number {
  let n = end
  for (; n > 0; n--) {
    const entry = entryAt(rows, levels, n - 1)
    if (entry && (entry.kind === 'message' || entry.kind === 'note')) break
  }
  return n
}

/**
 * Entries that its author did not hold in the form they have now: what grew after the watermark, and an unfinished answer
 * at the very end, which the context leaves out.
 */
function* stillGrowing(
  rows: TableRows,
  levels: readonly [Level, ...Level[]],
  coveredTo: number,
  watermark: number,
): Generator<number> {
  const { stream } = levels[0]
  const later = rows.versions.range('revision', { prefix: [stream], after: [watermark], limit: Infinity })
  for (const { n, kind } of later) if (kind !== 'edit' && n < coveredTo) yield n
  const hidden = hiddenIn(rows, levels)
  for (let n = coveredTo - 1; n >= 0; n--) {
    const range = rangeOf(hidden, n)
    if (range) n = range.from
    else {
      const entry = entryAt(rows, levels, n)
      if (!entry || !isInContext(entry, Infinity)) continue
      const level = levels.findIndex(({ own, bound }) => own <= n && n < bound)
      if (formsBetween(rows, levels, n, n + 1)({ entry, level }).partial) yield n
      return
    }
  }
}
