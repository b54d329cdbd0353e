import type { Point } from './point.ts'

export interface UsageQuery {
  readonly session?: string
  /** Absent: one line in all. */
  readonly by?: 'model' | 'day' | 'session' | 'task'
  /** Counts the delegates of `session`, too; theirs as of now, whatever `at` says. */
  readonly withDelegates?: boolean
  /** What `session` itself had used by then. */
  readonly at?: Point
}

/** Sums of what was recorded; `group` is the model, day (`2026-11-30`, UTC), session or task. */
export interface UsageLine {
  readonly group: string | null
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly reasoning: number
  readonly calls: number
  readonly costUsd: number
}

export interface UsageReport {
  readonly lines: readonly UsageLine[]
  readonly total: UsageLine
}
