import { commandEventId, type UsageRecorded } from '@refold/events'
import type { Desk } from '../deciding/desk.ts'
import type { PlannedEvent } from '../deciding/plan.ts'
import { read, type Reading } from '../deciding/reading.ts'

/** Usage counts once for its key, whichever command brings it. */
export function usageEventId(desk: Desk, stream: string, key: string): string {
  return commandEventId(desk.sha256, stream, `usage ${key}`, 0)
}

/** The usage as an event, or nothing when its key was counted already. */
export function* usageOnce(desk: Desk, stream: string, event: UsageRecorded): Reading<readonly PlannedEvent[]> {
  const id = usageEventId(desk, stream, event.data.key)
  return (yield* read.find(stream, id)) ? [] : [{ event, id }]
}
