import type { EndClass } from '@refold/events'
import type { HermesConversation } from '../hermes/conversation.ts'
import type { SessionWriter } from '../importing/session-writer.ts'
import { milliseconds } from './milliseconds.ts'

/** Its end, if it has one now: another than before is an end anew. */
export async function writeEnd(writer: SessionWriter, conversation: HermesConversation): Promise<void> {
  const { end, status, rootId } = conversation
  const { tally } = writer.place
  if (end === null || status === 'open') {
    if (writer.isFollowed('end') && !(await reopen(writer)))
      tally.warn('changed-here', `sessions/${rootId}.end`, 'open or ended as here')
    return
  }
  const endClass: EndClass = status === 'interrupted' ? 'accident' : end.class === 'reset' ? 'reset' : 'deliberate'
  const data = { reason: end.reason ?? 'ended', class: endClass, ...milliseconds(end.at) }
  const value = JSON.stringify(data)
  const slot = writer.log.slot('end')
  if (slot !== undefined && slot.value !== '' && !writer.isCurrent('end', value)) await reopen(writer)
  if (!(await writer.follow('end', value, { type: 'Ended', data })))
    tally.warn('changed-here', `sessions/${rootId}.end`, 'open or ended as here')
}

/** Opens what an import had ended, before something new is written behind it. False where that was changed here. */
export function reopen(writer: SessionWriter): Promise<boolean> {
  return writer.follow('end', '', { type: 'Reopened', data: { why: 'person' } })
}

export async function writeArchived(writer: SessionWriter, conversation: HermesConversation): Promise<void> {
  const { archived, autoArchived, rootId } = conversation
  if (!archived && !writer.isFollowed('archived')) return
  const by = autoArchived ? 'idle' : 'person'
  const followed = archived
    ? await writer.follow('archived', by, { type: 'Archived', data: { by } })
    : await writer.follow('archived', '', { type: 'Unarchived', data: { by: 'person' } })
  if (!followed) writer.place.tally.warn('changed-here', `sessions/${rootId}.archived`, 'the value here')
}
