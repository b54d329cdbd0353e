import type { EventRef } from '@refold/events'
import type { TableReaders } from '../tables.ts'
import { isInContext } from './entry-role.ts'
import { formsBetween, isNewer, refOf, type EntryForms, type WireEvent } from './entry-forms.ts'
import { mergeRanges, rangeOf, type HiddenRange } from './hidden-at.ts'
import { hiddenIn, levelsOf, type Level } from './levels.ts'
import { settingAt } from './setting-at.ts'
import { standingSummary, type StandingSummary } from './standing-summary.ts'
import { walkEntries, type Walked } from './walk-entries.ts'

export type ContextReaders = Pick<
  TableReaders,
  'transcripts' | 'entries' | 'rewinds' | 'versions' | 'compactions' | 'kept' | 'wireForms' | 'settings'
>

/** One message of the context, by reference. */
export interface PlannedMessage {
  readonly kind: 'message' | 'note'
  readonly id: string
  /** Null for a note. */
  readonly role: string | null
  /** Event with which it first appeared. */
  readonly first: EventRef
  /** Event with its newest text. */
  readonly content: EventRef
  /** Event with its form for the model, and the form's place in it where it is a compaction; null: as people see it. */
  readonly wire: (EventRef & { readonly place: number | null }) | null
  /** The form that was set for it by itself: what is left once the standing compaction gives way to another one. */
  readonly ownWire: (EventRef & { readonly place: null }) | null
}

export interface PlannedSummary {
  readonly id: string
  /** The `Compacted` event. */
  readonly event: EventRef
  /** False where the form of a kept message holds the summary already. */
  readonly apart: boolean
}

/** What the model is sent, as references into the log. */
export interface ContextPlan {
  readonly systemPrompt: EventRef | null
  readonly model: string | null
  readonly summary: PlannedSummary | null
  /** In order, after the summary. */
  readonly messages: readonly PlannedMessage[]
}

/** Rows read at once; most contexts are one such page. */
const CHUNK = 256

/**
 * The context of a session, as of a revision of it or now: prompt, newest standing summary, what that keeps, all later
 * messages. An answer that still grows at the very end is left out until it is complete or something follows it.
 * Costs as much as the context is long, however long the session.
 */
export function contextPlan(rows: ContextReaders, stream: string, at: number = Infinity): ContextPlan {
  const levels = levelsOf(rows, stream, at)
  const summary = standingSummary(rows, levels)
  const hidden = hiddenIn(rows, levels)
  const end = levels[0].bound
  const walked = [
    ...(summary ? keptEntries(rows, levels, hidden, summary) : []),
    ...walkEntries(rows, { levels, hidden, from: summary?.compaction.coveredTo ?? 0, to: end, chunk: CHUNK }),
  ].filter(({ entry, level }) => isInContext(entry, levels[level]?.at ?? Infinity))
  const formsOf = formsBetween(rows, levels, walked[0]?.entry.n ?? 0, end)
  const messages = walked.map((one) => ({ one, forms: formsOf(one) }))
  if (messages.at(-1)?.forms.partial === true) messages.pop()
  const prompt = settingAt(rows, levels, 'system-prompt')
  const model = settingAt(rows, levels, 'model')
  const planned = messages.map(({ one, forms }) => plannedMessage(rows, levels, summary, one, forms))
  return {
    systemPrompt: prompt?.present === true ? { stream: prompt.stream, revision: prompt.revision } : null,
    model: typeof model?.value === 'string' ? model.value : null,
    summary: summary ? plannedSummary(levels, summary, planned, messages) : null,
    messages: planned,
  }
}

/** What lies before the end of the covered part and is sent nevertheless: kept entries, and such as were hidden then. */
function keptEntries(
  rows: ContextReaders,
  levels: readonly Level[],
  hidden: readonly HiddenRange[],
  { compaction, kept, notHeld }: StandingSummary,
): readonly Walked[] {
  const single = kept.map((n) => ({ from: n, to: n + 1, shownAtFrom: 0, shownAtTo: 0 }))
  const back = notHeld.filter(({ from, to }) => (rangeOf(hidden, from)?.to ?? from) < to)
  return mergeRanges([...single, ...back]).flatMap(({ from, to }) => [
    ...walkEntries(rows, { levels, hidden, from, to: Math.min(to, compaction.coveredTo), chunk: CHUNK }),
  ])
}

function plannedMessage(
  rows: ContextReaders,
  levels: readonly Level[],
  summary: StandingSummary | undefined,
  { entry }: Walked,
  { content, wire }: EntryForms,
): PlannedMessage {
  const form = newestForm(wire, summary && formUnder(rows, summary, entry.n))
  const lasts = (one: WireEvent | undefined): one is WireEvent => !!one && !one.cleared && !isNewer(content, one)
  return {
    kind: entry.kind === 'note' ? 'note' : 'message',
    id: entry.id,
    role: entry.role,
    first: { stream: entry.stream, revision: entry.revision },
    content: refOf(levels, content),
    wire: lasts(form) ? { ...refOf(levels, form), place: form.place } : null,
    ownWire: lasts(wire) ? { ...refOf(levels, wire), place: null } : null,
  }
}

function newestForm(one: WireEvent | undefined, other: WireEvent | undefined): WireEvent | undefined {
  if (!one || !other) return one ?? other
  return isNewer(one, other) ? one : other
}

/** The form that the standing compaction gives an entry that it keeps. */
function formUnder(rows: ContextReaders, { compaction, level }: StandingSummary, n: number): WireEvent | undefined {
  if (n >= compaction.coveredTo) return undefined
  const { stream, revision } = compaction
  const form = rows.wireForms.get(stream, n, revision)
  return form && { level, revision, place: form.place, cleared: false }
}

function plannedSummary(
  levels: readonly Level[],
  { compaction, level }: StandingSummary,
  planned: readonly PlannedMessage[],
  messages: readonly { readonly one: Walked }[],
): PlannedSummary {
  const event = refOf(levels, { level, revision: compaction.revision })
  const carrier = messages.findIndex(({ one }) => one.entry.n === compaction.carrier)
  const wire = planned[carrier]?.wire
  const isHeld = wire?.stream === event.stream && wire.revision === event.revision
  return { id: compaction.id, event, apart: !isHeld }
}
