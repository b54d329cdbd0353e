import type { HermesGoal, HermesModelUsage } from './conversation.ts'
import { decodeJson } from './decode-json.ts'
import { groupedBy } from './grouped-by.ts'
import type { HermesSource } from './hermes-source.ts'
import { numberIn, type RawRow, textIn } from './raw-row.ts'
import { usageIn } from './session-row.ts'
import type { Warn } from './warning.ts'

/** What other tables say about sessions, by session id, and what they say about none. */
export interface SideTables {
  readonly usage: ReadonlyMap<string, readonly HermesModelUsage[]>
  readonly goals: ReadonlyMap<string, HermesGoal>
  readonly delegations: ReadonlyMap<string, readonly RawRow[]>
  readonly generations: ReadonlyMap<string, number>
  readonly leftovers: Readonly<Record<string, readonly RawRow[]>>
}

export function readSideTables(source: HermesSource, knows: (session: string) => boolean, warn: Warn): SideTables {
  const { goals, others } = readMeta(source, knows, warn)
  const { delegations, strays } = readDelegations(source, knows, warn)
  return {
    usage: groupedBy(source.all('session_model_usage').map(modelUsage), (usage) => usage.segmentId),
    goals,
    delegations,
    generations: new Map(source.all('conversation_generations').flatMap(generation)),
    leftovers: {
      state_meta: others,
      async_delegations: strays,
      gateway_routing: source.all('gateway_routing'),
      session_daily_usage: source.all('session_daily_usage'),
    },
  }
}

/** The generations are kept by surface and peer; the column of the number has no fixed name. */
export function generationKey(source: string, sessionKey: string): string {
  return `${source}\n${sessionKey}`
}

function generation(row: RawRow): readonly (readonly [string, number])[] {
  const column = Object.keys(row).find(
    (name) => name !== 'source' && name !== 'session_key' && numberIn(row, name) !== null,
  )
  const value = column === undefined ? null : numberIn(row, column)
  return value === null ? [] : [[generationKey(textIn(row, 'source') ?? '', textIn(row, 'session_key') ?? ''), value]]
}

function modelUsage(row: RawRow): HermesModelUsage {
  return {
    segmentId: textIn(row, 'session_id') ?? '',
    model: textIn(row, 'model') ?? '',
    provider: textIn(row, 'billing_provider') ?? '',
    baseUrl: textIn(row, 'billing_base_url') ?? '',
    mode: textIn(row, 'billing_mode') ?? '',
    task: textIn(row, 'task') ?? '',
    ...usageIn(row),
    firstSeen: numberIn(row, 'first_seen'),
    lastSeen: numberIn(row, 'last_seen'),
  }
}

const goalPrefix = 'goal:'

function readMeta(
  source: HermesSource,
  knows: (session: string) => boolean,
  warn: Warn,
): { readonly goals: ReadonlyMap<string, HermesGoal>; readonly others: readonly RawRow[] } {
  const goals = new Map<string, HermesGoal>()
  const others: RawRow[] = []
  for (const row of source.all('state_meta')) {
    const key = textIn(row, 'key') ?? ''
    const segmentId = key.slice(goalPrefix.length)
    if (!key.startsWith(goalPrefix) || !knows(segmentId)) {
      if (key.startsWith(goalPrefix)) warn('dangling-goal', `state_meta/${key}`, 'leftovers.state_meta')
      others.push(row)
      continue
    }
    const { value, unreadable } = decodeJson(textIn(row, 'value'))
    if (unreadable !== null) warn('unreadable-json', `state_meta/${key}.value`, 'goals')
    goals.set(segmentId, { segmentId, value: unreadable ?? value })
  }
  return { goals, others }
}

function readDelegations(
  source: HermesSource,
  knows: (session: string) => boolean,
  warn: Warn,
): { readonly delegations: ReadonlyMap<string, readonly RawRow[]>; readonly strays: readonly RawRow[] } {
  const delegations = new Map<string, RawRow[]>()
  const strays: RawRow[] = []
  for (const row of source.all('async_delegations')) {
    const owner = ['parent_session_id', 'origin_session', 'origin_ui_session_id']
      .map((column) => textIn(row, column))
      .find((id) => id !== null && knows(id))
    if (owner == null) {
      warn(
        'delegation-without-session',
        `async_delegations/${textIn(row, 'delegation_id') ?? ''}`,
        'leftovers.async_delegations',
      )
      strays.push(row)
    } else {
      delegations.set(owner, [...(delegations.get(owner) ?? []), row])
    }
  }
  return { delegations, strays }
}
