import { columnSet } from './columns.ts'
import { decodeJsonObject } from './decode-json.ts'
import { flagIn, numberIn, type RawRow, restOf, textIn } from './raw-row.ts'

/** One row of `sessions`: a segment of a conversation. */
export interface SessionRow {
  readonly id: string
  readonly source: string
  readonly parentId: string | null
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly endReason: string | null
  readonly model: string | null
  readonly config: Readonly<Record<string, unknown>>
  readonly marks: Marks
  readonly systemPromptHash: string | null
  readonly title: string | null
  readonly titleSource: string | null
  readonly sessionKey: string | null
  readonly workspace: Workspace
  readonly usage: SegmentUsage
  readonly rewindCount: number
  readonly archived: boolean
  readonly autoArchived: boolean
  readonly pinned: boolean
  readonly hidden: boolean
  readonly lastActivityAt: number | null
  readonly lastReadAt: number | null
  /** All other columns, among them the gateway's identity, the hand-off and the breaker's state. */
  readonly rest: RawRow
  readonly unreadable: readonly string[]
}

/** Which session each mark in `model_config` names; a continuation inherits them, so they may mean an ancestor. */
export interface Marks {
  readonly branchedFrom: string | null
  readonly delegateFrom: string | null
  readonly resetFrom: string | null
}

export interface Workspace {
  readonly cwd: string | null
  readonly gitBranch: string | null
  readonly gitRepoRoot: string | null
}

/** Totals of one segment's main loop. Costs are US dollars. */
export interface SegmentUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly reasoningTokens: number
  readonly apiCalls: number
  readonly estimatedCostUsd: number
  readonly actualCostUsd: number | null
}

const read = columnSet(
  'id source parent_session_id started_at ended_at end_reason model model_config system_prompt_hash title',
  'title_source session_key cwd git_branch git_repo_root input_tokens output_tokens cache_read_tokens',
  'cache_write_tokens reasoning_tokens api_call_count estimated_cost_usd actual_cost_usd rewind_count archived',
  'auto_archived pinned hidden last_activity_at last_read_at',
  // Counters that Hermes derives from the rows.
  'message_count tool_call_count',
)

/** `id` must be there: a row without one is reported by the caller and kept raw. */
export function sessionRow(id: string, row: RawRow): SessionRow {
  const config = decodeJsonObject(textIn(row, 'model_config'))
  const kept = restOf(row, read)
  return {
    id,
    source: textIn(row, 'source') ?? 'unknown',
    parentId: nonEmpty(textIn(row, 'parent_session_id')),
    startedAt: numberIn(row, 'started_at'),
    endedAt: numberIn(row, 'ended_at'),
    endReason: nonEmpty(textIn(row, 'end_reason')),
    model: nonEmpty(textIn(row, 'model')),
    config: config.value,
    marks: marksIn(config.value),
    systemPromptHash: nonEmpty(textIn(row, 'system_prompt_hash')),
    title: nonEmpty(textIn(row, 'title')),
    titleSource: nonEmpty(textIn(row, 'title_source')),
    sessionKey: nonEmpty(textIn(row, 'session_key')),
    workspace: {
      cwd: nonEmpty(textIn(row, 'cwd')),
      gitBranch: nonEmpty(textIn(row, 'git_branch')),
      gitRepoRoot: nonEmpty(textIn(row, 'git_repo_root')),
    },
    usage: usageIn(row),
    rewindCount: numberIn(row, 'rewind_count') ?? 0,
    archived: flagIn(row, 'archived'),
    autoArchived: flagIn(row, 'auto_archived'),
    pinned: flagIn(row, 'pinned'),
    hidden: flagIn(row, 'hidden'),
    lastActivityAt: numberIn(row, 'last_activity_at'),
    lastReadAt: numberIn(row, 'last_read_at'),
    rest: config.unreadable === null ? kept : { ...kept, model_config: config.unreadable },
    unreadable: config.unreadable === null ? [] : ['model_config'],
  }
}

/** The columns of token counts and costs are named alike in `sessions` and in the tables of usage by model. */
export function usageIn(row: RawRow): SegmentUsage {
  return {
    inputTokens: numberIn(row, 'input_tokens') ?? 0,
    outputTokens: numberIn(row, 'output_tokens') ?? 0,
    cacheReadTokens: numberIn(row, 'cache_read_tokens') ?? 0,
    cacheWriteTokens: numberIn(row, 'cache_write_tokens') ?? 0,
    reasoningTokens: numberIn(row, 'reasoning_tokens') ?? 0,
    apiCalls: numberIn(row, 'api_call_count') ?? 0,
    estimatedCostUsd: numberIn(row, 'estimated_cost_usd') ?? 0,
    actualCostUsd: numberIn(row, 'actual_cost_usd'),
  }
}

function marksIn(config: Readonly<Record<string, unknown>>): Marks {
  return {
    branchedFrom: markIn(config, '_branched_from'),
    delegateFrom: markIn(config, '_delegate_from'),
    resetFrom: markIn(config, '_reset_from'),
  }
}

function markIn(config: Readonly<Record<string, unknown>>, name: string): string | null {
  const mark = config[name]
  return typeof mark === 'string' && mark !== '' ? mark : null
}

function nonEmpty(text: string | null): string | null {
  return text === '' ? null : text
}
