import type { UsageLine } from '@refold/engine'
import { command, type CommandGroup } from '../command.ts'
import { dollars, grouped } from '../output/amount.ts'
import { safeLine } from '../output/safe-text.ts'
import { useEngine } from '../place/use-engine.ts'
import { usageJson } from '../render/usage-json.ts'
import { sessionOperandOrNone } from '../words/operand.ts'
import { choice, flag } from '../words/option.ts'
import { present } from '../words/present.ts'
import { usageAdd } from './usage-add.ts'

const usage = command({
  description: 'Sums of tokens and cost: of one session, or of all.',
  operands: { session: sessionOperandOrNone },
  options: {
    by: choice('WHAT', ['model', 'day', 'session', 'task'], 'one line each, beside the total'),
    withDelegates: flag("counts the session's delegates, too"),
  },
  examples: ['refold usage', 'refold usage --by day', 'refold usage fingerprint-scanner --by model --with-delegates'],
  run: ({ operands, options, place }) =>
    useEngine(place, async (engine) => {
      const found = operands.session === undefined ? undefined : await engine.session(operands.session)
      if (found?.ok === false) return found
      const report = await engine.usage(present({ ...options, session: found?.session }))
      if ('ok' in report) return report
      const { lines, total } = report
      return {
        json: {
          session: found?.session ?? null,
          by: options.by ?? null,
          lines: lines.map(lineJson),
          total: usageJson(total),
        },
        people: async (look) => {
          const { table } = await import('../output/table.ts')
          const shown =
            options.by === undefined ? [] : lines.map((line) => cells(line, safeLine(line.group ?? 'unknown')))
          return table(look, columns, [...shown, cells(total, 'total')])
        },
      }
    }),
})

const columns = [
  { head: '', atLeast: 12 },
  ...['INPUT', 'OUTPUT', 'CACHE READ', 'CACHE WRITE', 'CALLS', 'COST'].map((head) => ({
    head,
    align: 'right' as const,
  })),
]

function cells(line: UsageLine, label: string): readonly string[] {
  const counts = [line.input, line.output, line.cacheRead, line.cacheWrite, line.calls]
  return [label, ...counts.map(grouped), dollars(line.costUsd)]
}

const lineJson = (line: UsageLine): object => ({ group: line.group, ...usageJson(line) })

const group: CommandGroup = {
  description: usage.description,
  own: usage,
  members: { add: { summary: 'counts tokens and cost of one request', command: usageAdd } },
}

export default group
