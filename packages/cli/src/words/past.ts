import type { Point } from '@refold/engine'
import { choice, type Option } from './option.ts'
import { point, pointOf, pointWords, type PointWord } from './point.ts'
import { UsageError } from './usage-error.ts'

/** Options of every command that can show the past. */
export const past: {
  readonly at: Option<PointWord | undefined>
  readonly clock: Option<'recorded' | 'messages' | undefined>
} = {
  at: point('POINT', `as it was then: ${pointWords}`),
  clock: choice(
    'WHOSE',
    ['recorded', 'messages'],
    'which times a time in --at goes by; those of the messages are for imported sessions',
  ),
}

/** What a call says of the past, as a query of the engine says it. */
export async function pastOf(options: {
  readonly at: PointWord | undefined
  readonly clock: 'recorded' | 'messages' | undefined
}): Promise<{ readonly at?: Point }> {
  const { at, clock } = options
  if (at === undefined) {
    if (clock !== undefined) throw new UsageError('--clock says what a time in --at goes by; give one.')
    return {}
  }
  const { systemSource } = await import('@refold/engine')
  return { at: pointOf(at, systemSource.now(), clock) }
}
