import type { Desk } from '../deciding/desk.ts'
import type { Deciding } from '../deciding/plan.ts'
import { decideOn } from '../deciding/session-command.ts'
import { refuse } from '../refusal.ts'

/** Takes a compaction back: the summary before it stands again, else the messages themselves. */
export function undoCompaction(
  desk: Desk,
  session: string,
  { compaction = null }: { readonly compaction?: string | null },
): Deciding<{ readonly compaction: string }> {
  return decideOn(desk, session, {
    name: 'undo a compaction of',
    writes: ['CompactionUndone'],
    decide(state) {
      const meant = compaction === null ? state.compactions.at(-1) : state.compactions.find((id) => id === compaction)
      if (meant === undefined) return refuse('compaction-not-found', { session, compaction })
      return { events: [{ type: 'CompactionUndone', data: { compactionId: meant } }], answer: { compaction: meant } }
    },
    again: ([first]) => ({ compaction: first?.type === 'CompactionUndone' ? first.data.compactionId : '' }),
  })
}
