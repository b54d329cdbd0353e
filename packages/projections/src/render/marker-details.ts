import type { Json, Recorded } from '@refold/events'
import type { PlannedEntry } from '../read/planned-entry.ts'
import { knownEvent, wholeText, type LogContent } from './log-content.ts'
import type { MarkerEntry } from './transcript-entry.ts'

/** The present that a transcript is shown in; left out for the past. */
export interface Surroundings {
  /** The turn that is at work: what it has not finished yet is no fault. */
  readonly liveTurn?: string | null
  /** Word for the state of a delegate that has not reported, by its stream. */
  readonly delegateStatus?: (stream: string) => string | undefined
}

type Details = MarkerEntry['details']

/** What a marker says, from the event that made it. */
export function markerDetails(
  entry: PlannedEntry,
  event: Recorded,
  content: LogContent,
  around: Surroundings,
): Details {
  const { marker } = entry
  switch (entry.kind) {
    case 'compaction': {
      if (event.type !== 'Compacted') return {}
      const { covers, kept, summary, model } = event.data
      const undone = marker.undone === true ? { undone: true } : {}
      return { covers, kept: kept.length, summary: wholeText(content, summary), ...some('model', model), ...undone }
    }
    case 'rotation':
      return event.type === 'Rotated'
        ? { segment: event.data.to, from: event.data.from, reason: event.data.reason }
        : {}
    case 'delegate': {
      if (event.type !== 'DelegateSpawned') return {}
      const { session, task, toolCallId } = event.data
      const words = task === undefined ? undefined : wholeText(content, task)
      return {
        session,
        ...some('task', words),
        status: statusOf(entry, content, around),
        ...some('toolCallId', toolCallId),
      }
    }
    case 'model':
      if (event.type !== 'SettingChanged' || event.data.key !== 'model') return {}
      return { model: event.data.value, ...some('provider', event.data.provider) }
    case 'branch': {
      if (event.type !== 'SessionStarted' || !('cut' in event.data.origin)) return {}
      const { session, cut } = event.data.origin
      return { session, message: cut.through?.message ?? null }
    }
    case 'end':
      return event.type === 'Ended' ? { reason: event.data.reason, class: event.data.class } : {}
    case 'reopen':
      return event.type === 'Reopened' ? { why: event.data.why } : {}
    case 'alternative':
      return {
        undoId: entry.id,
        messages: marker.messages ?? 0,
        reason: event.type === 'Rewound' ? event.data.reason : 'undo',
      }
    case 'note': {
      if (event.type !== 'Noted') return {}
      const { kind, text, data } = event.data
      const words = text === undefined ? undefined : wholeText(content, text)
      return { note: kind, ...some('text', words), ...some('data', data) }
    }
    case 'message':
      return {}
    default: {
      const never: never = entry.kind
      return never
    }
  }
}

/** A delegate's report, else the state of its session, else that it was sent off. */
function statusOf({ marker }: PlannedEntry, content: LogContent, { delegateStatus }: Surroundings): string {
  const report = marker.reported && knownEvent(content, marker.reported)
  if (report?.type === 'DelegateReported') return report.data.outcome
  return (marker.stream === undefined ? undefined : delegateStatus?.(marker.stream)) ?? 'running'
}

/** A field that is left out where there is nothing to say. */
function some(field: string, value: Json | undefined): Details {
  return value === undefined ? {} : { [field]: value }
}
