import type { TableReaders } from '../tables.ts'
import { usageRowsOf, type UsageNumbers } from './usage-rows-of.ts'
import { delegatesUnder } from './delegates-under.ts'

export type UsageReaders = Pick<TableReaders, 'usage' | 'usageSteps' | 'tips' | 'edges'>

export type UsageGrouping = 'model' | 'provider' | 'task' | 'day' | 'session'

export interface UsageQuery {
  readonly namespace: string
  /** Stream of one session; absent: all of the namespace. */
  readonly stream?: string
  /** As of this revision of that session. */
  readonly at?: number
  /** Counts the delegates under that session, too; as of now, whatever revision is asked for. */
  readonly withDelegates?: boolean
  /** Absent: one line in all. */
  readonly by?: UsageGrouping
}

/** Sums of increments; `group` is null in totals, where the events did not say, and for sessions that are deleted. */
export interface UsageLine extends UsageNumbers {
  readonly group: string | null
}

export interface UsageSums {
  /** By group. */
  readonly lines: readonly UsageLine[]
  readonly total: UsageLine
}

/** What was spent stays spent: deleted sessions count, though nothing names them. */
export function usageReport(rows: UsageReaders, query: UsageQuery): UsageSums {
  const groups = new Map<string, Sums>()
  const total = zero()
  for (const stream of streamsOf(rows, query)) {
    for (const row of usageRowsOf(rows, stream, stream === query.stream ? query.at : undefined)) {
      add(total, row)
      if (query.by === undefined) continue
      const name = query.by === 'session' ? nameOf(rows, stream) : row[query.by]
      const group = groups.get(name) ?? zero()
      groups.set(name, group)
      add(group, row)
    }
  }
  const lines = [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, numbers]) => ({ group: name === '' ? null : name, ...numbers }))
  const all = { group: null, ...total }
  return { lines: query.by === undefined ? [all] : lines, total: all }
}

function streamsOf(rows: UsageReaders, { namespace, stream, withDelegates = false }: UsageQuery): readonly string[] {
  if (stream !== undefined) return withDelegates ? delegatesUnder(rows, [stream]) : [stream]
  return rows.tips.range('start', { prefix: [namespace], limit: Infinity }).map((tip) => tip.stream)
}

function nameOf(rows: Pick<UsageReaders, 'tips'>, stream: string): string {
  const tip = rows.tips.get(stream)
  return tip && !tip.deleted ? tip.session : ''
}

type Sums = { -readonly [N in keyof UsageNumbers]: UsageNumbers[N] }

function zero(): Sums {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, calls: 0, costUsd: 0 }
}

function add(sum: Sums, row: UsageNumbers): void {
  sum.input += row.input
  sum.output += row.output
  sum.cacheRead += row.cacheRead
  sum.cacheWrite += row.cacheWrite
  sum.reasoning += row.reasoning
  sum.calls += row.calls
  sum.costUsd += row.costUsd
}
