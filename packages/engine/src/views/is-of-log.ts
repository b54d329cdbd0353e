import type { EventStore } from '@refold/events'
import type { StoredCheckpoint } from './views-file.ts'

/**
 * True of a checkpoint made by code of this shape from this very log, which still has its event: not so when the log was
 * replaced, or a backup of it restored.
 */
export async function isOfLog(checkpoint: StoredCheckpoint, log: EventStore, shape: string): Promise<boolean> {
  if (checkpoint.shape !== shape || checkpoint.logId !== (await log.logHead()).logId) return false
  const { stream, revision, position, hash } = checkpoint
  if (stream === null || revision === null) return true
  // Raw, for what it says does not matter: where that is damaged, the views still hold what they folded before.
  const [event] = await log.readRaw(stream, { from: revision, limit: 1 })
  return event?.position === position && event.hash === hash
}
