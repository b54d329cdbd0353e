import { commandEventId } from '@refold/events'
import type { Desk } from '../deciding/desk.ts'
import type { Deciding } from '../deciding/plan.ts'
import { decideOn } from '../deciding/session-command.ts'
import { refuse } from '../refusal.ts'
import type { RewindAnswer } from './rewind.ts'

/**
 * Returns to what stood before a rewind. What was appended since leaves as an alternative under an id of its own, so that
 * switching back and forth loses nothing. Without an id the last rewind is meant, never an alternative: undoing twice takes
 * back two rewinds.
 */
export function undo(
  desk: Desk,
  session: string,
  { undoId = null }: { readonly undoId?: string | null },
): Deciding<RewindAnswer> {
  return decideOn(desk, session, {
    name: 'undo a rewind of',
    writes: ['RewindUndone'],
    decide(state, stream) {
      const open = state.rewinds
      const meant =
        undoId === null ? open.findLast(({ kind }) => kind === 'rewind') : open.find(({ id }) => id === undoId)
      if (!meant) return refuse('undo-not-found', { session, undoId })
      const newUndoId = commandEventId(desk.sha256, stream, desk.key, 0)
      return {
        events: [{ type: 'RewindUndone', data: { undoId: meant.id, newUndoId } }],
        answer: { undoId: newUndoId },
      }
    },
    again: ([first]) => ({ undoId: first?.type === 'RewindUndone' ? first.data.newUndoId : '' }),
  })
}
