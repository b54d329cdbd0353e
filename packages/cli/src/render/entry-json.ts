import type { TranscriptEntry } from '@refold/engine'
import { isoTime } from '../output/moment.ts'
import { messageContent } from './message-content.ts'

/** An entry of a transcript as `--json` prints it. */
export function entryJson(entry: TranscriptEntry): object {
  const { kind, id } = entry
  const at = isoTime(entry.at)
  const inherited = entry.inherited ? { inherited: true } : {}
  if (kind !== 'message') return { kind, id, at, ...entry.details, ...inherited }
  return {
    kind,
    id,
    role: entry.role,
    ...messageContent(entry.parts),
    at,
    ...(entry.author !== null && { author: entry.author }),
    ...(entry.state !== 'complete' && { state: entry.state }),
    ...(entry.editedAt !== null && { editedAt: isoTime(entry.editedAt) }),
    ...inherited,
  }
}
