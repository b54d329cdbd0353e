import { RefoldError } from '@refold/events'
import type { MessageUsage } from './message-input.ts'

/**
 * Throws `event-malformed`, naming the field, for usage below zero: only importers correct totals downwards. What is no
 * number at all fails the event's schema.
 */
export function checkUsage({ tokens, calls, costUsd }: MessageUsage): void {
  const kinds = Object.entries({ ...tokens }).map(([kind, count]) => [`tokens.${kind}`, count] as const)
  for (const [field, count] of [...kinds, ['calls', calls] as const, ['costUsd', costUsd] as const])
    if (count !== undefined && count < 0)
      throw new RefoldError('event-malformed', { type: 'UsageRecorded', problem: `${field} is below zero` })
}
