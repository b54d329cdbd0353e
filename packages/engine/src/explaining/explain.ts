import type { Point } from '../answers/point.ts'
import type { SessionHandle } from '../facade/session-handle.ts'
import { differenceLines } from './difference-lines.ts'
import { whyLines } from './why-lines.ts'

/**
 * What touched a message and where it is shown now, in plain lines; the refusal's sentence where it is none of the session's.
 * For tests that fail and people who ask.
 */
export async function explainMessage(handle: Pick<SessionHandle, 'why'>, message: string): Promise<readonly string[]> {
  const view = await handle.why(message)
  return 'ok' in view ? [view.message] : whyLines(view)
}

/** What became of a session between two points, in plain lines. */
export async function explainDifference(
  handle: Pick<SessionHandle, 'diff'>,
  from: Point,
  to: Point,
): Promise<readonly string[]> {
  const difference = await handle.diff(from, to)
  return 'ok' in difference ? [difference.message] : differenceLines(difference)
}
