import { RefoldError, type EventStore } from '@refold/events'
import type { Shelf } from './shelf.ts'

/**
 * Throws `blob-missing` for a text that was named and is nowhere: an event that referred to it could never be read whole.
 * Attachments are not asked for, as their bytes may be kept elsewhere. Costs a look-up for each text that was named, and
 * nothing for those that were given.
 */
export async function checkNamed(store: Pick<EventStore, 'blob'>, named: ReturnType<Shelf['named']>): Promise<void> {
  for (const blob of named) if (!(await store.blob(blob))) throw new RefoldError('blob-missing', { blob })
}
