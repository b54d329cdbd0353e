import type { UsageRow } from '../rules/usage-rows.ts'
import type { TableReaders } from '../tables.ts'
import { delegatesUnder } from './delegates-under.ts'

export type UsageReaders = Pick<TableReaders, 'usage' | 'tips' | 'edges'>

export type UsageGrouping = 'model' | 'provider' | 'task' | 'day' | 'session'

export interface UsageQuery {
  readonly namespace: string
  /** Stream of one session; absent: all of the namespace. */
  readonly stream?: string
  /** Counts the delegates under that session, too. */
  readonly withDelegates?: boolean
  /** Absent: one line in all. */
  readonly by?: UsageGrouping
}

type Numbers = Omit<UsageRow, 'stream' | 'model' | 'provider' | 'task' | 'day'>

/** Sums of increments; `group` is null in totals, where the events did not say, and for sessions that are deleted. */
export interface UsageLine extends Readonly<Numbers> {
  readonly group: string | null
}

export interface UsageSums {
  /** By group. */
  readonly lines: readonly UsageLine[]
  readonly total: UsageLine
}

/** What was spent stays spent: deleted sessions count, though nothing names them. */
export function usageReport(rows: UsageReaders, query: UsageQuery): UsageSums {
  const groups = new Map<string, Numbers>()
  const total = zero()
  for (const stream of streamsOf(rows, query)) {
    for (const row of rows.usage.range('key', { prefix: [stream], limit: Infinity })) {
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

function zero(): Numbers {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, calls: 0, costUsd: 0 }
}

function add(sum: Numbers, row: Readonly<Numbers>): void {
  sum.input += row.input
  sum.output += row.output
  sum.cacheRead += row.cacheRead
  sum.cacheWrite += row.cacheWrite
  sum.reasoning += row.reasoning
  sum.calls += row.calls
  sum.costUsd += row.costUsd
}
