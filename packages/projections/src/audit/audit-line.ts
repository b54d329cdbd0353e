import { isKnown, type Actor, type AnyRecorded } from '@refold/events'
import { ownTime } from '../rules/message-time.ts'
import { describeEvent } from './describe-event.ts'

/** One event as a line that a person understands. */
export interface AuditLine {
  readonly revision: number
  readonly position: number
  /** When it was recorded, epoch milliseconds. */
  readonly at: number
  /** When it happened by its own account, where that is another time. */
  readonly happenedAt: number | null
  /** Who, such as `ada (person, cli)`. */
  readonly actor: string
  readonly type: string
  /** What and why, in words. */
  readonly what: string
}

/** Also says what is left to say of an event that is erased, or that this version does not know. */
export function auditLine(event: AnyRecorded): AuditLine {
  const { revision, position, recordedAt, actor, type } = event
  return {
    revision,
    position,
    at: recordedAt,
    happenedAt: happenedAt(event),
    actor: actorWords(actor),
    type,
    what: words(event),
  }
}

export function actorWords({ id, kind, session, surface }: Actor): string {
  const more = [kind, session === undefined ? [] : `for session ${session}`, surface ?? []].flat()
  return `${id} (${more.join(', ')})`
}

function words(event: AnyRecorded): string {
  if (isKnown(event)) return describeEvent(event)
  return 'erased' in event ? 'What it said was purged' : 'Written by another version or program; carried along as it is'
}

function happenedAt({ data, recordedAt }: AnyRecorded): number | null {
  const at = typeof data === 'object' && data !== null && 'at' in data ? data.at : undefined
  const own = ownTime(typeof at === 'number' ? at : undefined, recordedAt)
  return own === undefined || own === recordedAt ? null : own
}
