import type { EventRef } from '@refold/events'
import type { TableReaders } from '../tables.ts'
import { findEntry, levelsOf } from './levels.ts'

export type WhyReaders = Pick<
  TableReaders,
  'transcripts' | 'entries' | 'rewinds' | 'versions' | 'wireForms' | 'compactions' | 'kept'
>

/** An event that touched a message, and how. */
export interface Touch extends EventRef {
  readonly how:
    | 'appended'
    | 'grown'
    | 'completed'
    | 'edited'
    | 'hidden'
    | 'shown-again'
    | 'summarised'
    | 'kept'
    | 'wire-form'
    | 'failed'
}

/** All events that touched one message, nearest session last, each stream in its order. Undefined for an unknown one. */
export function whyMessage(rows: WhyReaders, stream: string, id: string): readonly Touch[] | undefined {
  const levels = levelsOf(rows, stream)
  const found = findEntry(rows, levels, 'message', id) ?? findEntry(rows, levels, 'note', id)
  if (!found) return undefined
  const { entry, level } = found
  const touches: Touch[] = []
  for (const { stream, at } of levels.slice(0, level + 1).toReversed()) {
    const here: Touch[] = []
    const add = (revision: number, how: Touch['how']): void => {
      if (revision <= at) here.push({ stream, revision, how })
    }
    if (stream === entry.stream) {
      add(entry.revision, 'appended')
      if (entry.failedAt !== null) add(entry.failedAt, 'failed')
    }
    const ofEntry = { prefix: [stream, entry.n], limit: Infinity }
    for (const { revision, kind } of rows.versions.range('key', ofEntry))
      if (stream !== entry.stream || revision !== entry.revision) add(revision, versionWords[kind])
    for (const { revision, place } of rows.wireForms.range('key', ofEntry))
      if (place === null) add(revision, 'wire-form')
    const ofStream = { prefix: [stream], limit: Infinity }
    for (const rewind of rows.rewinds.range('key', ofStream)) {
      if (entry.n < rewind.fromEntry || entry.n >= rewind.toEntry) continue
      add(rewind.revision, 'hidden')
      if (rewind.until !== null) add(rewind.until, 'shown-again')
    }
    for (const { revision, coveredTo } of rows.compactions.range('key', ofStream))
      if (entry.n < coveredTo) add(revision, rows.kept.get(stream, revision, entry.n) ? 'kept' : 'summarised')
    touches.push(...here.toSorted((a, b) => a.revision - b.revision))
  }
  return touches
}

const versionWords = { partial: 'grown', complete: 'completed', edit: 'edited' } as const
