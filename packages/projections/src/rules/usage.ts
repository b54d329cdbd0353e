import type { Projection } from '../projection.ts'
import type { Tables } from '../tables.ts'
import { changeTip } from './change-tip.ts'
import { inSession } from './in-session.ts'
import { ownTime } from './message-time.ts'
import { usage as usageTable, usageKeys, usageSteps, type UsageRow, type UsageStepRow } from './usage-rows.ts'

/** Sums of increments, each key once. They are a session's own; delegates are added when somebody asks. */
export const usage: Projection<Tables> = {
  name: 'usage',
  version: 2,
  tables: { usage: usageTable, usageKeys, usageSteps },
  rules: {
    UsageRecorded: inSession<'UsageRecorded'>(({ stream, revision, data, recordedAt }, rows) => {
      if (!rows.usageKeys.insert({ stream, usageKey: data.key })) return
      const { model = '', provider = '', task = '', tokens, calls = 0, costUsd = 0 } = data
      const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0, reasoning = 0 } = tokens
      const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, calls: 0, costUsd: 0 }
      const day = dayOf(ownTime(data.at, recordedAt) ?? recordedAt)
      let step: UsageStepRow | undefined
      rows.usage.upsert({ stream, model, provider, task, day, since: revision, ...zero }, (row) => {
        row.input += input
        row.output += output
        row.cacheRead += cacheRead
        row.cacheWrite += cacheWrite
        row.reasoning += reasoning
        row.calls += calls
        row.costUsd += costUsd
        step = stepOf(row, revision)
      })
      if (step) rows.usageSteps.insert(step)
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

function stepOf(
  { stream, since, input, output, cacheRead, cacheWrite, reasoning, calls, costUsd }: UsageRow,
  revision: number,
): UsageStepRow {
  return { stream, since, revision, input, output, cacheRead, cacheWrite, reasoning, calls, costUsd }
}

/** UTC day; a clock value that no date can say counts as the epoch. */
function dayOf(time: number): string {
  return new Date(Math.abs(time) <= 8.64e15 ? time : 0).toISOString().slice(0, 10)
}
