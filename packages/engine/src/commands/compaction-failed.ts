import type { Desk } from '../deciding/desk.ts'
import type { Deciding } from '../deciding/plan.ts'
import { decideOn } from '../deciding/session-command.ts'

/** Notes that an attempt to compact failed, so that others wait before they try; changes neither transcript nor context. */
export function compactionFailed(
  desk: Desk,
  session: string,
  { reason, cooldownUntil }: { readonly reason: string; readonly cooldownUntil?: number },
): Deciding<object> {
  return decideOn(desk, session, {
    name: 'note a failed compaction of',
    writes: ['CompactionFailed'],
    decide() {
      const data = { reason, ...(cooldownUntil === undefined ? {} : { cooldownUntil }) }
      return { events: [{ type: 'CompactionFailed', data }], answer: {} }
    },
    again: () => ({}),
  })
}
