import { sessionStream } from '@refold/events'
import { lineageOf } from '@refold/projections'
import type { LineageView } from '../answers/lineage-view.ts'
import type { ReadingPlace } from './reading-side.ts'

export async function readLineage({ views, namespace }: ReadingPlace, session: string): Promise<LineageView> {
  return views.read((rows) => {
    const lineage = lineageOf(rows, sessionStream({ namespace, session }))
    return {
      session,
      segments: lineage?.segments ?? [session],
      parents: lineage?.parents.map(({ kind, session }) => ({ kind, session })) ?? [],
      children: lineage?.children ?? [],
    }
  })
}
