import type { AnyRecorded } from '@refold/events'
import { isSessionStream } from '@refold/events'
import type { Engine } from '@refold/engine'

/** What the log says: the events of every session in their order, without when they were recorded. */
export async function logOf(engine: Engine): Promise<Readonly<Record<string, readonly object[]>>> {
  const streams: Record<string, object[]> = {}
  for (let after = 0; ;) {
    const page: readonly AnyRecorded[] = await engine.store.readAll({ after, limit: 1_000 })
    for (const { stream, revision, id, type, data } of page)
      if (isSessionStream(stream)) (streams[stream] ??= []).push({ revision, id, type, data })
    const last = page.at(-1)
    if (last === undefined) return streams
    after = last.position
  }
}
