import type { UsageRecorded } from '@refold/events'
import type { Desk } from '../deciding/desk.ts'
import type { Deciding } from '../deciding/plan.ts'
import { decideOn } from '../deciding/session-command.ts'
import { usageEventId } from './usage-event.ts'
import type { CommandOptions } from './command-options.ts'
import type { MessageUsage } from './message-input.ts'

export interface UsageInput extends MessageUsage, Omit<CommandOptions, 'key'> {
  /** Message or request that it belongs to: recorded once for each. */
  readonly key: string
  readonly at?: number
}

/** Counts tokens and money, once for each key. Usage is counted for ended sessions, too: it was spent. */
export function recordUsage(desk: Desk, session: string, event: UsageRecorded): Deciding<object> {
  return decideOn(desk, session, {
    name: 'record usage of',
    writes: ['UsageRecorded'],
    firstEventId: (stream) => usageEventId(desk, stream, event.data.key),
    decide(_state, stream) {
      return { events: [{ event, id: usageEventId(desk, stream, event.data.key) }], answer: {} }
    },
    again: () => ({}),
  })
}
