import { sessionStream } from '@refold/events'
import { usageReport } from '@refold/projections'
import type { UsageQuery, UsageReport } from '../answers/usage-report.ts'
import type { ReadingPlace } from './reading-side.ts'

export async function readUsage(
  { views, namespace }: ReadingPlace,
  { session, at: _point, ...query }: UsageQuery,
  at: number | undefined,
): Promise<UsageReport> {
  const stream = session === undefined ? {} : { stream: sessionStream({ namespace, session }) }
  return views.read((rows) =>
    usageReport(rows, { ...query, ...stream, ...(at === undefined ? {} : { at }), namespace }),
  )
}
