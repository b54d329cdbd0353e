import type { HermesModelUsage, HermesUsage } from './conversation.ts'
import type { SegmentUsage, SessionRow } from './session-row.ts'

/** Sums over the segments; helpers' own usage is counted with them. */
export function usageOf(
  segments: readonly SessionRow[],
  byModel: ReadonlyMap<string, readonly HermesModelUsage[]>,
): HermesUsage {
  const sum = (of: (usage: SegmentUsage) => number): number =>
    segments.reduce((total, { usage }) => total + of(usage), 0)
  const actual = segments.map(({ usage }) => usage.actualCostUsd).filter((cost) => cost !== null)
  return {
    inputTokens: sum((usage) => usage.inputTokens),
    outputTokens: sum((usage) => usage.outputTokens),
    cacheReadTokens: sum((usage) => usage.cacheReadTokens),
    cacheWriteTokens: sum((usage) => usage.cacheWriteTokens),
    reasoningTokens: sum((usage) => usage.reasoningTokens),
    apiCalls: sum((usage) => usage.apiCalls),
    estimatedCostUsd: sum((usage) => usage.estimatedCostUsd),
    actualCostUsd: actual.length === 0 ? null : actual.reduce((total, cost) => total + cost, 0),
    byModel: segments.flatMap(({ id }) => byModel.get(id) ?? []),
  }
}
