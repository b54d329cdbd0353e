import type { SessionWriter } from '../importing/session-writer.ts'

/** Takes single messages out of transcript and context: undone in the source, or copies as it turned out. */
export async function hide(writer: SessionWriter, record: string, messages: readonly string[]): Promise<void> {
  const only = writer.log.rewinds.hideable(messages)
  if (only.length === 0) {
    if (messages.length > 0) writer.place.tally.alreadyThere += 1
    return
  }
  // An undo id stands once in a session, whatever was hidden and shown again before.
  const undoId = `hermes/${record}/${writer.log.rewinds.count}`
  await writer.put(
    { record, aspect: 'undone', value: JSON.stringify([writer.log.rewinds.count, only]) },
    { type: 'Rewound', data: { undoId, lastThatStays: null, only, reason: 'import' } },
  )
}

/** Brings back what an earlier import hid and the source shows again (a redo); what stays hidden is hidden anew. */
export async function showAgain(writer: SessionWriter, isShown: (message: string) => boolean): Promise<void> {
  for (const undoId of writer.log.rewinds.over(isShown))
    await writer.put(
      { record: undoId, aspect: 'redone' },
      { type: 'RewindUndone', data: { undoId, newUndoId: `${undoId}/back` } },
    )
}
