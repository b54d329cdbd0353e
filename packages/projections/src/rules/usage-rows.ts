import { defineTable, integer, real, stream, text } from '../rows/table.ts'
import type { TableDefinition } from '../rows/port.ts'

/** Sums of one session's own usage; delegates are added at reading. */
export interface UsageRow {
  stream: string
  /** Empty where the event does not say. */
  model: string
  provider: string
  task: string
  /** UTC, `2026-11-30`. */
  day: string
  /** The first event that is counted here; names the row among those of its stream. */
  since: number
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  reasoning: number
  calls: number
  costUsd: number
}

/** What a row of sums said from `revision` on. */
export interface UsageStepRow extends Omit<UsageRow, 'model' | 'provider' | 'task' | 'day'> {
  revision: number
}

/** What was counted already. */
export interface UsageKeyRow {
  stream: string
  usageKey: string
}

export const usage: TableDefinition<UsageRow> = defineTable<UsageRow>({
  name: 'usage',
  columns: {
    stream,
    model: text,
    provider: text,
    task: text,
    day: text,
    since: integer,
    input: real,
    output: real,
    cacheRead: real,
    cacheWrite: real,
    reasoning: real,
    calls: real,
    costUsd: real,
  },
  key: ['stream', 'model', 'provider', 'task', 'day'],
})

export const usageKeys: TableDefinition<UsageKeyRow> = defineTable<UsageKeyRow>({
  name: 'usageKeys',
  columns: { stream, usageKey: text },
  key: ['stream', 'usageKey'],
})

export const usageSteps: TableDefinition<UsageStepRow> = defineTable<UsageStepRow>({
  name: 'usageSteps',
  columns: {
    stream,
    since: integer,
    revision: integer,
    input: real,
    output: real,
    cacheRead: real,
    cacheWrite: real,
    reasoning: real,
    calls: real,
    costUsd: real,
  },
  key: ['stream', 'since', 'revision'],
})
