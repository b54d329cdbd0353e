import type { UsageRecorded } from '@refold/events'
import type { HermesConversation, HermesModelUsage } from '../hermes/conversation.ts'
import type { SegmentUsage } from '../hermes/session-row.ts'
import type { SessionWriter } from '../importing/session-writer.ts'
import { noUsage, type UsageTotals } from '../importing/imported-log.ts'
import { milliseconds } from './milliseconds.ts'

interface Counter {
  readonly record: string
  readonly totals: UsageTotals
  readonly about: Pick<UsageRecorded['data'], 'model' | 'provider' | 'task' | 'costBasis' | 'at'>
}

/** Counts what came since the last import: differences of totals, by model where the source has it so. */
export async function writeUsage(writer: SessionWriter, conversation: HermesConversation): Promise<void> {
  for (const { record, totals, about } of countersOf(conversation)) {
    const name = `hermes/${writer.place.sha256(record).slice(0, 16)}`
    const { totals: before, count } = writer.log.usage(name)
    const more = difference(totals, before)
    if (more === null) {
      if (count > 0) writer.place.tally.alreadyThere += 1
      continue
    }
    const { calls, costUsd, ...tokens } = more
    await writer.put(
      { record, aspect: 'usage', value: JSON.stringify([count, more]) },
      { type: 'UsageRecorded', data: { key: `${name}/${count}`, ...about, tokens, calls, costUsd } },
    )
  }
}

function countersOf({ segments, usage }: HermesConversation): readonly Counter[] {
  return segments.flatMap((segment) => {
    const rows = usage.byModel.filter(({ segmentId }) => segmentId === segment.id)
    const counted = rows.map(modelCounter)
    const main = rows.filter(({ task }) => task === '').map(totalsOf)
    // The totals of older versions hold more than their rows by model: the rest is counted under the segment's model.
    const rest = totalsOf(segment.usage)
    for (const totals of main) for (const kind of kinds) rest[kind] -= totals[kind]
    const at = milliseconds(segment.endedAt ?? segment.startedAt)
    const model = segment.model === null ? {} : { model: segment.model }
    const about = { ...model, ...basis(segment.usage), ...at }
    return [...counted, { record: JSON.stringify(['rest', segment.id]), totals: rest, about }]
  })
}

function modelCounter(row: HermesModelUsage): Counter {
  const { segmentId, model, provider, baseUrl, mode, task } = row
  return {
    record: JSON.stringify(['model', segmentId, model, provider, baseUrl, mode, task]),
    totals: totalsOf(row),
    about: {
      ...(model === '' ? {} : { model }),
      ...(provider === '' ? {} : { provider }),
      ...(task === '' ? {} : { task }),
      ...basis(row),
      ...milliseconds(row.lastSeen),
    },
  }
}

function basis({ actualCostUsd }: SegmentUsage): { readonly costBasis: 'billed' | 'estimated' } {
  return { costBasis: actualCostUsd === null ? 'estimated' : 'billed' }
}

function number(value: number): number {
  return Number.isFinite(value) ? value : 0
}

function totalsOf(usage: SegmentUsage): UsageTotals {
  return {
    input: number(usage.inputTokens),
    output: number(usage.outputTokens),
    cacheRead: number(usage.cacheReadTokens),
    cacheWrite: number(usage.cacheWriteTokens),
    reasoning: number(usage.reasoningTokens),
    calls: number(usage.apiCalls),
    costUsd: number(usage.actualCostUsd ?? usage.estimatedCostUsd),
  }
}

const kinds = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning', 'calls', 'costUsd'] as const

/** Sums of fractions differ in their last digits: less than this is nothing. */
const NOTHING = 1e-9

function difference(totals: UsageTotals, before: Readonly<UsageTotals>): UsageTotals | null {
  const more = noUsage()
  for (const kind of kinds) {
    const value = totals[kind] - before[kind]
    more[kind] = Math.abs(value) < NOTHING ? 0 : value
  }
  return kinds.every((kind) => more[kind] === 0) ? null : more
}
