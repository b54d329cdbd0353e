import type { Projection } from '../projection.ts'
import type { Tables } from '../tables.ts'
import { changeTip } from './change-tip.ts'
import { inSession } from './in-session.ts'
import { ownTime } from './message-time.ts'
import { usage as usageTable, usageKeys } from './usage-rows.ts'

/** Sums of increments, each key once. They are a session's own; delegates are added when somebody asks. */
export const usage: Projection<Tables> = {
  name: 'usage',
  version: 1,
  tables: { usage: usageTable, usageKeys },
  rules: {
    UsageRecorded: inSession<'UsageRecorded'>(({ stream, data, recordedAt }, rows) => {
      if (!rows.usageKeys.insert({ stream, usageKey: data.key })) return
      const { model = '', provider = '', task = '', tokens, calls = 0, costUsd = 0 } = data
      const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0, reasoning = 0 } = tokens
      const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, calls: 0, costUsd: 0 }
      const day = dayOf(ownTime(data.at, recordedAt) ?? recordedAt)
      rows.usage.upsert({ stream, model, provider, task, day, ...zero }, (row) => {
        row.input += input
        row.output += output
        row.cacheRead += cacheRead
        row.cacheWrite += cacheWrite
        row.reasoning += reasoning
        row.calls += calls
        row.costUsd += costUsd
      })
      changeTip(rows, stream, (tip) => {
        if (task === '') {
          tip.inputTokens += input
          tip.outputTokens += output
        }
        tip.costUsd += costUsd
      })
    }),
  },
}

/** UTC day; a clock value that no date can say counts as the epoch. */
function dayOf(time: number): string {
  return new Date(Math.abs(time) <= 8.64e15 ? time : 0).toISOString().slice(0, 10)
}
