import { foldOf, type Fold } from '../fold.ts'
import type { Projection } from '../projection.ts'
import type { Tables } from '../tables.ts'
import { aliases } from './aliases.ts'
import { context } from './context.ts'
import { lineage } from './lineage.ts'
import { sessions } from './sessions.ts'
import { tips } from './tips.ts'
import { titles } from './titles.ts'
import { transcript } from './transcript.ts'
import { usage } from './usage.ts'

/**
 * All row projections in the order in which their rules run. Those before `tips` find the list row as it was before the
 * event; those after `transcript` find the event's entry.
 */
export const projections: readonly Projection<Tables>[] = [
  sessions,
  transcript,
  context,
  lineage,
  tips,
  titles,
  aliases,
  usage,
]

/** Applies one event to all rows. Events of a log go in by position, each once. */
export const fold: Fold<Tables> = foldOf(projections)
