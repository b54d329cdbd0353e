import { streamOf } from '../deciding/desk.ts'
import type { WaitPoint } from './engine.ts'
import type { EngineParts } from './refold-engine.ts'

/** Resolves once the log has that point and the views hold it. */
export async function waitFor(place: EngineParts, point: WaitPoint): Promise<void> {
  const { store } = place.driver
  for (;;) {
    let stop: (() => void) | undefined
    const committed = new Promise<void>((resolve) => {
      stop = store.onCommit(resolve)
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
