import { parseSessionStream, type EventRef } from '@refold/events'
import type { Absence, OpenRewind } from '@refold/projections'
import type { Because, ContextSight } from '../answers/why-view.ts'

/** Why the model is not sent a message that the session has, by session and revision. */
export function sightOfAbsent(
  absence: Exclude<Absence, { readonly because: 'unknown' }>,
): Extract<ContextSight, { readonly sent: false }> {
  switch (absence.because) {
    case 'rewound':
      return { sent: false, because: 'rewound', by: rewindsOf(absence.by) }
    case 'covered':
      return { sent: false, because: 'covered', compaction: absence.compaction, by: becauseOf(absence.by) }
    case 'unfinished':
    case 'person-only':
    case 'failed':
      return { sent: false, because: absence.because }
    default:
      return absence satisfies never
  }
}

export const rewindsOf = (by: readonly OpenRewind[]): readonly (Because & { readonly undoId: string })[] =>
  by.map((rewind) => ({ undoId: rewind.undoId, ...becauseOf(rewind) }))

export const sessionOf = ({ stream }: Pick<EventRef, 'stream'>): string => parseSessionStream(stream)?.session ?? stream

const becauseOf = ({ stream, revision }: EventRef): Because => ({ session: sessionOf({ stream }), revision })
