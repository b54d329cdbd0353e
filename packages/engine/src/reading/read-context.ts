import { sessionStream } from '@refold/events'
import { contextPlan, contextRefs, renderContext, type ContextPlan, type TableReaders } from '@refold/projections'
import type { ContextView } from '../answers/context-view.ts'
import { atOneMoment } from './at-one-moment.ts'
import { fetchContent } from './fetch-content.ts'
import type { ReadingPlace } from './reading-side.ts'

/** What rows say of a context, all at one moment; its words are still to be fetched. */
export interface PlannedContext extends Pick<ContextView, 'segment' | 'compactionFailures' | 'cooldownUntil'> {
  readonly plan: ContextPlan
}

/** What the model is sent, now or as of a revision. */
export async function readContext(place: ReadingPlace, session: string, at: number | undefined): Promise<ContextView> {
  const stream = sessionStream({ namespace: place.namespace, session })
  const { revision, result } = await atOneMoment(place, stream, at, (rows, asOf) => planContext(rows, stream, asOf))
  return { session, revision, ...(await writeContext(place, result)) }
}

export function planContext(rows: TableReaders, stream: string, at: number | undefined): PlannedContext {
  const before = at === undefined ? {} : { before: [at + 1] }
  const [segment] = rows.segments.range('revision', { prefix: [stream], ...before, limit: 1, backwards: true })
  const tip = rows.tips.get(stream)
  return {
    plan: contextPlan(rows, stream, at),
    segment: segment?.segment ?? tip?.session ?? '',
    compactionFailures: tip?.compactionFailures ?? 0,
    cooldownUntil: tip?.cooldownUntil ?? null,
  }
}

export async function writeContext(
  { source, store }: Pick<ReadingPlace, 'source' | 'store'>,
  { plan, ...facts }: PlannedContext,
): Promise<Omit<ContextView, 'session' | 'revision'>> {
  const content = await fetchContent(store, contextRefs(plan))
  return { ...facts, ...renderContext(plan, content, source.sha256) }
}
