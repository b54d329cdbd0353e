import type { AnyRecorded, EventRef } from '@refold/events'
import type { PlannedEntry } from '../read/planned-entry.ts'
import { ownTime } from '../rules/message-time.ts'
import { knownEvent, wholeParts, type LogContent } from './log-content.ts'
import { markerDetails, type Surroundings } from './marker-details.ts'
import type { MarkerEntry, MessageEntry, TranscriptEntry } from './transcript-entry.ts'

/** The events that rendering entries needs, each once. */
export function transcriptRefs(entries: readonly PlannedEntry[]): readonly EventRef[] {
  const refs = entries.flatMap(({ first, content, marker }) => [first, content, marker.reported])
  const distinct = new Map<string, EventRef>()
  for (const ref of refs) if (ref) distinct.set(`${ref.revision} ${ref.stream}`, ref)
  return [...distinct.values()]
}

/** Puts words into the entries of a page. */
export function renderTranscript(
  entries: readonly PlannedEntry[],
  content: LogContent,
  around: Surroundings = {},
): readonly TranscriptEntry[] {
  return entries.map((entry) =>
    entry.kind === 'message' ? message(entry, content, around) : marker(entry, content, around),
  )
}

function message(entry: PlannedEntry, content: LogContent, { liveTurn = null }: Surroundings): MessageEntry {
  const first = knownEvent(content, entry.first)
  const appended = first?.type === 'MessageAppended' ? first.data : undefined
  const newest = knownEvent(content, entry.content)
  const isEdited = newest?.type === 'MessageEdited'
  const parts = isEdited || newest?.type === 'MessageAppended' ? newest.data.parts : []
  const isLive = liveTurn !== null && appended?.turn === liveTurn
  return {
    kind: 'message',
    ...placeOf(entry, content),
    role: entry.role ?? 'system',
    provenance: entry.provenance ?? 'engine',
    parts: wholeParts(content, parts),
    state: entry.failed ? 'failed' : entry.partial && !isLive ? 'partial' : 'complete',
    editedAt: isEdited ? timeOf(newest) : null,
    author: appended?.author ?? null,
  }
}

function marker(entry: PlannedEntry, content: LogContent, around: Surroundings): MarkerEntry {
  const event = knownEvent(content, entry.first)
  const kind = entry.kind === 'message' ? 'note' : entry.kind
  return { kind, ...placeOf(entry, content), details: event ? markerDetails(entry, event, content, around) : {} }
}

function placeOf({ id, first, inherited }: PlannedEntry, content: LogContent): Omit<MarkerEntry, 'kind' | 'details'> {
  const event = content.event(first)
  return { id, revision: first.revision, at: event ? timeOf(event) : 0, inherited }
}

function timeOf(event: AnyRecorded): number {
  const { data } = event
  const at = typeof data === 'object' && data !== null && 'at' in data ? data.at : undefined
  return ownTime(typeof at === 'number' ? at : undefined, event.recordedAt) ?? event.recordedAt
}
