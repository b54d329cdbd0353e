import type { SessionEvent, Text, WireForm } from '@refold/events'
import type { Shelf } from './shelf.ts'
import { shelveParts } from './shelve-parts.ts'

/** An event with its large texts by reference. */
export function shelveEvent(event: SessionEvent, shelf: Shelf): SessionEvent {
  switch (event.type) {
    case 'MessageAppended':
    case 'MessageEdited': {
      const parts = shelveParts(event.data.parts, shelf)
      return event.type === 'MessageAppended'
        ? { type: event.type, data: { ...event.data, parts } }
        : { type: event.type, data: { ...event.data, parts } }
    }
    case 'WireFormSet': {
      const { parts } = event.data
      return parts === null ? event : { type: event.type, data: { ...event.data, parts: shelveParts(parts, shelf) } }
    }
    case 'Compacted': {
      const summary = shelf.text(event.data.summary)
      const wireForms = event.data.wireForms.map((form): WireForm => ({
        ...form,
        parts: shelveParts(form.parts, shelf),
      }))
      return { type: event.type, data: { ...event.data, summary, wireForms } }
    }
    case 'SettingChanged': {
      const { data } = event
      if (data.key !== 'system-prompt' && data.key !== 'goal') return event
      const value: Text | null = data.value === null ? null : shelf.text(data.value)
      return { type: event.type, data: { ...data, value } }
    }
    case 'DelegateSpawned': {
      const { task, ...rest } = event.data
      return task === undefined ? event : { type: event.type, data: { ...rest, task: shelf.text(task) } }
    }
    case 'DelegateReported': {
      const { message, ...rest } = event.data
      return message === undefined ? event : { type: event.type, data: { ...rest, message: shelf.text(message) } }
    }
    case 'Noted': {
      const { text, ...rest } = event.data
      return text === undefined ? event : { type: event.type, data: { ...rest, text: shelf.text(text) } }
    }
    case 'SessionStarted':
    case 'Ended':
    case 'Reopened':
    case 'Archived':
    case 'Unarchived':
    case 'Deleted':
    case 'Restored':
    case 'Redacted':
    case 'PurgeStarted':
    case 'Purged':
    case 'Rewound':
    case 'RewindUndone':
    case 'CompactionUndone':
    case 'CompactionFailed':
    case 'Rotated':
    case 'Renamed':
    case 'TurnStarted':
    case 'TurnRenewed':
    case 'TurnEnded':
    case 'UsageRecorded':
    case 'Claimed':
    case 'Released':
    case 'ClaimDropped':
      return event
    default:
      return event satisfies never
  }
}
