import type { UsageLine } from '@refold/engine'

/** Sums of usage as `--json` prints them. */
export function usageJson(line: UsageLine): object {
  return {
    inputTokens: line.input,
    outputTokens: line.output,
    cacheReadTokens: line.cacheRead,
    cacheWriteTokens: line.cacheWrite,
    reasoningTokens: line.reasoning,
    calls: line.calls,
    costUsd: line.costUsd,
  }
}
