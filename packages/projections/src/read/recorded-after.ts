import { TIMES_BLOCK } from '../rules/transcript-rows.ts'
import type { TableReaders } from '../tables.ts'

/** Revisions `[from, to)` of a stream. */
export interface RevisionRange {
  readonly from: number
  readonly to: number
}

/**
 * Where in a stream an event may stand that was recorded after a time: the first that was lies in the first of these ranges
 * that holds one. Clocks may have gone back; the ranges hold nothing but what must be looked at. Reads a row for every
 * {@link TIMES_BLOCK} events.
 */
export function recordedAfter(
  rows: Pick<TableReaders, 'transcripts' | 'eventTimes'>,
  stream: string,
  time: number,
): readonly RevisionRange[] {
  const transcript = rows.transcripts.get(stream)
  if (!transcript || transcript.revision < 0) return [{ from: 0, to: Infinity }]
  const { revision: head, latest, timed } = transcript
  const last = Math.floor(head / TIMES_BLOCK)
  const blocks = new Map(
    rows.eventTimes.range('key', { prefix: [stream], limit: Infinity }).map((row) => [row.block, row]),
  )
  const ranges: RevisionRange[] = []
  for (let block = 0; block <= last; block++) {
    const from = block * TIMES_BLOCK
    const to = Math.min(from + TIMES_BLOCK, head + 1)
    const times = block === last ? { latest, timed } : blocks.get(block)
    const isKnown = times !== undefined && times.timed === to - from
    if (!isKnown || times.latest > time) ranges.push({ from, to })
  }
  // Events that are not folded, for this build does not know them, may follow.
  return [...ranges, { from: head + 1, to: Infinity }]
}
