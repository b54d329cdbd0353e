import type { Checkpoint, RebuildOptions } from './views.ts'

/** Tells of each page that a rebuild folds, and ends it when asked to. */
export function reporting(
  { onProgress, signal }: RebuildOptions,
  head: number,
): (events: number, checkpoint: Checkpoint) => void {
  let events = 0
  return (folded, { position }) => {
    events += folded
    onProgress?.({ events, position, head })
    signal?.throwIfAborted()
  }
}
