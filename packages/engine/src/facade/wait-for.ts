import { streamOf } from '../deciding/desk.ts'
import type { WaitPoint } from './engine.ts'
import type { EngineParts } from './engine-parts.ts'

/** Resolves once the log has that point and the views hold it; rejects with the signal's reason when that comes first. */
export async function waitFor(place: EngineParts, point: WaitPoint, signal?: AbortSignal): Promise<void> {
  const { store } = place.driver
  for (;;) {
    signal?.throwIfAborted()
    let stop: (() => void) | undefined
    const committed = new Promise<void>((resolve) => {
      const noMore = store.onCommit(resolve)
      const aborted = (): void => resolve()
      signal?.addEventListener('abort', aborted)
      stop = () => {
        noMore()
        signal?.removeEventListener('abort', aborted)
      }
    })
    try {
      if (await isThere()) break
      await committed
    } finally {
      stop?.()
    }
  }
  await place.catchUp()

  async function isThere(): Promise<boolean> {
    if ('position' in point) return (await store.logHead()).position >= point.position
    const head = await store.head(streamOf(place, point.session))
    return head !== undefined && head.revision >= point.revision
  }
}
