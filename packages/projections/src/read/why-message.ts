import type { EventRef } from '@refold/events'
import type { EntryRow } from '../rules/transcript-rows.ts'
import type { TableReaders } from '../tables.ts'
import { findEntry, levelsOf, type Level } from './levels.ts'
import { heldBy } from './summary-covers.ts'

export type WhyReaders = Pick<
  TableReaders,
  | 'transcripts'
  | 'entries'
  | 'rewinds'
  | 'versions'
  | 'wireForms'
  | 'compactions'
  | 'kept'
  | 'settings'
  | 'erasures'
  | 'edges'
  | 'tips'
>

/** What an event did to a message. */
export type TouchKind =
  | 'appended'
  | 'grown'
  | 'completed'
  | 'edited'
  | 'failed'
  /** A rewind took it out; an undo of one did so (`set-aside`) or took such a thing back (`brought-back`). */
  | 'rewound'
  | 'set-aside'
  | 'brought-back'
  /** The model sees another form of it, or again what people see. */
  | 'wire-form'
  | 'wire-form-removed'
  /** A summary stands for it, leaves it word for word, or leaves it in a form that holds the summary. */
  | 'covered'
  | 'kept'
  | 'carried'
  /** The summary that stood for it was taken back, or something else that it stood for has changed. */
  | 'uncovered'
  | 'inherited'
  | 'reacted'
  | 'reaction-removed'
  | 'redacted'
  | 'purged'

/** An event that touched a message, and how. */
export interface Touch extends EventRef {
  readonly how: TouchKind
  readonly compaction?: string
  readonly undoId?: string
}

type Note = (revision: number, how: TouchKind, by?: Pick<Touch, 'compaction' | 'undoId'>) => void

/**
 * All events that touched one message or note: those of the session that it was written to first, then those of each branch
 * on the way to this one, each stream in its order. What happened to it elsewhere after a branch was cut is not the
 * branch's; that its words were erased is. Undefined for an unknown one.
 */
export function whyMessage(rows: WhyReaders, stream: string, id: string): readonly Touch[] | undefined {
  const levels = levelsOf(rows, stream)
  const found = findEntry(rows, levels, 'message', id) ?? findEntry(rows, levels, 'note', id)
  if (!found) return undefined
  return levels
    .slice(0, found.level + 1)
    .toReversed()
    .flatMap((level) => touchesIn(rows, level, found.entry))
}

function touchesIn(rows: WhyReaders, { stream, at }: Level, entry: Readonly<EntryRow>): readonly Touch[] {
  const touches: Touch[] = []
  const note: Note = (revision, how, by = {}) => {
    if (revision <= at) touches.push({ stream, revision, how, ...by })
  }
  if (stream === entry.stream) {
    note(entry.revision, 'appended')
    if (entry.failedAt !== null) note(entry.failedAt, 'failed')
  } else note(rows.transcripts.get(stream)?.since ?? 0, 'inherited')
  noteForms(rows, stream, entry, note)
  noteRewinds(rows, stream, entry, note)
  noteCompactions(rows, stream, entry, note)
  noteReactions(rows, stream, entry, note)
  const said = new Set(touches.filter(({ how }) => holdsWords.has(how)).map(({ revision }) => revision))
  for (const { target, revision } of rows.erasures.range('key', { prefix: [stream], limit: Infinity }))
    if (target < 0 || said.has(target)) touches.push({ stream, revision, how: target < 0 ? 'purged' : 'redacted' })
  return touches.toSorted((a, b) => a.revision - b.revision)
}

/** Events that hold words of the message itself. */
const holdsWords: ReadonlySet<TouchKind> = new Set<TouchKind>(['appended', 'grown', 'completed', 'edited', 'wire-form'])
const versionKinds = { partial: 'grown', complete: 'completed', edit: 'edited' } as const

function noteForms(rows: WhyReaders, stream: string, entry: Readonly<EntryRow>, note: Note): void {
  const ofEntry = { prefix: [stream, entry.n], limit: Infinity }
  for (const { revision, kind } of rows.versions.range('key', ofEntry))
    if (stream !== entry.stream || revision !== entry.revision) note(revision, versionKinds[kind])
  for (const { revision, place, cleared } of rows.wireForms.range('key', ofEntry))
    if (place === null) note(revision, cleared ? 'wire-form-removed' : 'wire-form')
}

function noteRewinds(rows: WhyReaders, stream: string, { n }: Readonly<EntryRow>, note: Note): void {
  for (const rewind of rows.rewinds.range('key', { prefix: [stream], limit: Infinity })) {
    const { fromEntry, toEntry, revision, until, undoes, undoId } = rewind
    if (n < fromEntry || n >= toEntry) continue
    note(revision, undoes === null ? 'rewound' : 'set-aside', { undoId })
    if (until !== null) note(until, 'brought-back', { undoId })
  }
}

function noteCompactions(rows: WhyReaders, stream: string, entry: Readonly<EntryRow>, note: Note): void {
  const wasHeldBy = heldBy(rows, stream, entry)
  for (const row of rows.compactions.range('key', { prefix: [stream], limit: Infinity })) {
    const { revision, id: compaction, carrier, undoneAt, brokenAt } = row
    if (!wasHeldBy(row)) continue
    const kept = rows.kept.get(stream, revision, entry.n)
    if (kept) note(kept.since, carrier === entry.n ? 'carried' : 'kept', { compaction })
    if (kept && carrier !== entry.n && rows.wireForms.get(stream, entry.n, revision))
      note(revision, 'wire-form', { compaction })
    if (kept?.since === revision) continue
    note(revision, 'covered', { compaction })
    const ends = [undoneAt, brokenAt].filter((end) => end !== null)
    if (!kept && ends.length > 0) note(Math.min(...ends), 'uncovered', { compaction })
  }
}

function noteReactions(rows: WhyReaders, stream: string, { id }: Readonly<EntryRow>, note: Note): void {
  // The row's name begins with the message: see `settingName`.
  const begin = `reaction:${JSON.stringify([id]).slice(0, -1)},`
  const range = { prefix: [stream], after: [begin], before: [`${begin}\u{10ffff}`], limit: Infinity }
  for (const { revision, present } of rows.settings.range('key', range))
    note(revision, present ? 'reacted' : 'reaction-removed')
}
