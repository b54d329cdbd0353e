import { attach, newEntry } from './entry.ts'
import type { MessageRow } from './message-row.ts'
import { noticeIn } from './notice.ts'
import { add, note, type Talk, uidKey } from './talk.ts'
import { repeatsSummary, takeBatch } from './take-batch.ts'
import { takeRepeat } from './take-repeat.ts'

export interface SegmentRows {
  readonly id: string
  readonly rows: readonly MessageRow[]
}

/**
 * Reads the rows of a conversation's segments into `talk`. Rows count in the order of their ids, over all
 * segments; a batch is looked for within its own segment.
 */
export function readTalk(talk: Talk, segments: readonly SegmentRows[]): void {
  const places = segments.flatMap((segment, index) =>
    segment.rows.map((row, at) => ({ row, at, index, rows: segment.rows })),
  )
  places.sort((a, b) => a.row.id - b.row.id)
  const taken = new Set<MessageRow>()
  let begun = 0
  const beginUpTo = (index: number): void => {
    for (; begun < index; begun++) talk.items.push({ kind: 'segment', id: segments[begun + 1]?.id ?? '' })
  }
  for (const { row, at, index, rows } of places) {
    if (taken.has(row)) continue
    const isNewest = index >= begun
    beginUpTo(index)
    const repeated = repeatsSummary(talk, rows, at) ? takeRepeat(talk, rows, at) : 0
    const count = repeated || takeBatch(talk, rows, at) || takeRepeat(talk, rows, at) || takeOne(talk, row, isNewest)
    for (let i = at; i < at + count; i++) {
      const done = rows[i]
      if (done !== undefined) taken.add(done)
    }
  }
  beginUpTo(segments.length - 1)
}

function takeOne(talk: Talk, row: MessageRow, isNewest: boolean): number {
  if (row.role === 'session_meta') talk.asides.push(row)
  else if (!takeRedelivery(talk, row) && !takeByUid(talk, row)) takeNew(talk, row, isNewest)
  return 1
}

function takeRedelivery(talk: Talk, row: MessageRow): boolean {
  const known = row.platformId === null || row.role !== 'user' ? undefined : talk.byPlatformId.get(row.platformId)
  if (known === undefined) return false
  attach(known, row, 'redelivery')
  talk.redeliveries.push({ row, of: known })
  return true
}

/** A row with the uid of an earlier one is that message, wherever it stands; so is one that absorbed others whole. */
function takeByUid(talk: Talk, row: MessageRow): boolean {
  const known = row.uid === null ? undefined : talk.byUid.get(uidKey(row))
  const absorbed = row.absorbedUids.map((uid) => talk.byUid.get(`${row.role} ${uid}`))
  if (known === undefined) {
    if (absorbed.length === 0 || absorbed.some((entry) => entry === undefined || !row.text.includes(entry.text)))
      return false
    for (const entry of absorbed) if (entry !== undefined) attach(entry, row, 'merged')
    return true
  }
  attach(known, row, row.carrier !== null ? 'carrier' : absorbed.length > 0 ? 'merged' : 'copy')
  note(talk, known, row)
  for (const entry of absorbed) if (entry !== undefined && entry !== known) attach(entry, row, 'merged')
  return true
}

function takeNew(talk: Talk, row: MessageRow, isNewest: boolean): void {
  const notice = noticeIn(row)
  const fresh =
    notice === null
      ? [newEntry('message', row, row.text, 'own')]
      : [
          newEntry('notice', row, notice.text, notice.ask === null ? 'own' : 'merged', { noticeKind: notice.kind }),
          ...(notice.ask === null ? [] : [newEntry('message', row, notice.ask, 'merged', { part: 'ask' })]),
        ]
  for (const entry of fresh) add(talk, entry)
  // A row that reaches a closed segment late is talk, but the agent that went on never had it.
  if (isNewest) talk.live.push(...fresh)
}
