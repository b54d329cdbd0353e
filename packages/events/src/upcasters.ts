import type { Json } from './json.ts'
import { isEventType, type EventType } from './session-event.ts'

/** Turns the data of one version of an event into the next version's. Pure; one per step. */
export type Upcaster = (data: Json) => Json

/** Steps of one event type: `steps[0]` takes version 1 to 2, and so on. The current version is one above their number. */
export type UpcasterSteps = Partial<Record<EventType, readonly Upcaster[]>>

/** Every type is still at its first version. */
export const upcasters: UpcasterSteps = {}

export function currentVersion(type: EventType, steps: UpcasterSteps = upcasters): number {
  return (steps[type]?.length ?? 0) + 1
}

/** Brings data up to the current version; undefined for a type or version that this build does not know. */
export function upcast(type: string, version: number, data: Json, steps: UpcasterSteps = upcasters): Json | undefined {
  if (!isEventType(type) || version < 1 || version > currentVersion(type, steps)) return undefined
  return (steps[type] ?? []).slice(version - 1).reduce((older, step) => step(older), data)
}
