import { command, type Command } from '../command.ts'
import { done } from '../output/done.ts'
import { useSession } from '../place/use-engine.ts'
import { sessionOperand } from '../words/operand.ts'
import { choice, number, requiredText, text, time } from '../words/option.ts'
import { present } from '../words/present.ts'
import { writing } from '../words/writing.ts'

export const usageAdd: Command = command({
  description: 'Counts the tokens and the cost of one message or request, once for each key.',
  operands: { session: sessionOperand },
  options: {
    key: requiredText('KEY', 'the message or request that it belongs to; counted once'),
    model: text('M', 'the model that was used'),
    provider: text('P', 'whose it is'),
    task: text('T', 'what for, such as compaction: else the main loop'),
    inputTokens: number('N', 'tokens read'),
    outputTokens: number('N', 'tokens written'),
    cacheReadTokens: number('N', 'tokens read from a prompt cache'),
    cacheWriteTokens: number('N', 'tokens written to a prompt cache'),
    reasoningTokens: number('N', 'tokens thought'),
    calls: number('N', 'calls made'),
    costUsd: number('USD', 'cost in US dollars'),
    costBasis: choice('BASIS', ['estimated', 'billed', 'included', 'unknown'], 'how sure the cost is'),
    at: time('TIME', 'when it was used'),
    expect: writing.expect,
  },
  examples: ['refold usage add fingerprint-scanner --key req_81 --model opus --input-tokens 1200 --output-tokens 300'],
  run: ({ operands, options, place }) =>
    useSession(place, operands.session, async (handle) => {
      const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens, ...rest } = options
      const tokens = present({
        input: inputTokens,
        output: outputTokens,
        cacheRead: cacheReadTokens,
        cacheWrite: cacheWriteTokens,
        reasoning: reasoningTokens,
      })
      const outcome = await handle.recordUsage({ ...present(rest), tokens })
      return done(outcome, ({ session }) => `Counted for ${session}.`)
    }),
})
