import { sessionStream } from '@refold/events'
import { contextPlan, contextRefs, renderContext } from '@refold/projections'
import type { ContextView } from '../answers/context-view.ts'
import { atOneMoment } from './at-one-moment.ts'
import { fetchContent } from './fetch-content.ts'
import type { ReadingPlace } from './reading-side.ts'

/** What the model is sent, now or as of a revision. */
export async function readContext(place: ReadingPlace, session: string, at: number | undefined): Promise<ContextView> {
  const { namespace, source, store } = place
  const stream = sessionStream({ namespace, session })
  const { revision, result } = await atOneMoment(place, stream, at, (rows, at) => {
    const before = at === undefined ? {} : { before: [at + 1] }
    const [segment] = rows.segments.range('revision', { prefix: [stream], ...before, limit: 1, backwards: true })
    const tip = rows.tips.get(stream)
    return {
      plan: contextPlan(rows, stream, at),
      segment: segment?.segment ?? session,
      compactionFailures: tip?.compactionFailures ?? 0,
      cooldownUntil: tip?.cooldownUntil ?? null,
    }
  })
  const { plan, ...facts } = result
  const content = await fetchContent(store, contextRefs(plan))
  return { session, revision, ...facts, ...renderContext(plan, content, source.sha256) }
}
