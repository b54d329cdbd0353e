import type { UsageRow } from '../rules/usage-rows.ts'
import type { TableReaders } from '../tables.ts'

export type UsageNumbers = Readonly<Omit<UsageRow, 'stream' | 'model' | 'provider' | 'task' | 'day' | 'since'>>

/**
 * A session's own sums by model, provider, task and day, as of a revision or now. The past costs one look-up a row, however
 * many increments there were.
 */
export function usageRowsOf(
  rows: Pick<TableReaders, 'usage' | 'usageSteps'>,
  stream: string,
  at: number = Infinity,
): readonly Readonly<UsageRow>[] {
  const present = rows.usage.range('key', { prefix: [stream], limit: Infinity })
  if (at === Infinity) return present
  return present.flatMap((row) => {
    if (row.since > at) return []
    const range = { prefix: [stream, row.since], before: [at + 1], limit: 1, backwards: true }
    const [step] = rows.usageSteps.range('key', range)
    if (!step) return []
    const { revision: _revision, ...numbers } = step
    return [{ ...row, ...numbers }]
  })
}
