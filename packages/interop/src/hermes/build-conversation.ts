import { buildContext } from './build-context.ts'
import { buildItems } from './build-items.ts'
import { isForModelOnly } from './build-message.ts'
import { type Clock, latest, saneTime } from './clock.ts'
import type { HermesConversation, HermesOrigin, HermesSegment } from './conversation.ts'
import { endClass, statusOf } from './end-reason.ts'
import { isUndone } from './entry.ts'
import { never } from './never.ts'
import type { MessageRow } from './message-row.ts'
import type { ReadTalk } from './read-group.ts'
import type { SessionRow } from './session-row.ts'
import { generationKey } from './side-tables.ts'
import type { Skeleton } from './skeleton.ts'
import type { Surveyed } from './survey.ts'
import type { Talk } from './talk.ts'
import { titleOf } from './title.ts'
import { usageOf } from './usage.ts'
import { warningsOf } from './warnings-of-talk.ts'

/** Puts together what the columns and the rows of a conversation say. */
export function buildConversation(
  skeleton: Skeleton,
  { talk, cut }: ReadTalk,
  rowsOf: (session: string) => readonly MessageRow[],
  surveyed: Surveyed,
  clock: Clock,
): HermesConversation {
  const { rootId, segments } = skeleton
  const [first] = segments
  const tip = segments.at(-1)
  if (first === undefined || tip === undefined) throw new Error(`Conversation ${rootId} has no segment`)
  const origin = originOf(skeleton, talk, cut, surveyed)
  const { title, source: titleSource } = titleOf(segments)
  const items = buildItems(talk, { segmentId: tip.id }, clock, first.id)
  const bySegment = <Value>(of: (id: string) => Value | readonly Value[] | undefined): Value[] =>
    segments.flatMap(({ id }) => of(id) ?? [])
  return {
    rootId,
    segments: segments.map((segment) => segmentOf(segment, surveyed)),
    origin,
    title,
    titleSource,
    tipTitle: tip.title,
    titleKeptBy: surveyed.losers.get(rootId) ?? null,
    status: statusOf(tip, origin.kind === 'delegate'),
    end: endOf(tip),
    archived: first.archived,
    autoArchived: first.autoArchived,
    pinned: first.pinned,
    hidden: first.hidden,
    listed: ['root', 'branch', 'reset'].includes(origin.kind) && !first.archived && !first.hidden,
    startedAt: first.startedAt,
    lastActive: lastActiveOf(talk, segments, clock),
    usage: usageOf(segments, surveyed.side.usage),
    rewindCount: segments.reduce((sum, segment) => sum + segment.rewindCount, 0),
    inherited: items.inherited,
    items: items.own,
    rowCount: segments.reduce((sum, { id }) => sum + rowsOf(id).length, 0),
    context: buildContext(talk, rowsOf(tip.id)),
    goals: bySegment((id) => surveyed.side.goals.get(id)),
    delegations: bySegment((id) => surveyed.side.delegations.get(id)),
    asides: talk.asides.map(({ id, sessionId, role, whole, extra }) => ({
      rowId: id,
      segmentId: sessionId,
      role,
      text: whole,
      extra,
    })),
    redeliveries: talk.redeliveries.map(({ row, of }) => ({
      rowId: row.id,
      of: of.key,
      text: row.whole,
      rawTime: row.time,
    })),
    warnings: warningsOf(skeleton, talk, cut, clock),
  }
}

function segmentOf(segment: SessionRow, { side, edges, source }: Surveyed): HermesSegment {
  const edge = edges.byChild.get(segment.id)
  const peer = segment.sessionKey === null ? null : generationKey(segment.source, segment.sessionKey)
  return {
    id: segment.id,
    source: segment.source,
    startedAt: segment.startedAt,
    endedAt: segment.endedAt,
    endReason: segment.endReason,
    model: segment.model,
    workspace: segment.workspace,
    systemPrompt: source.systemPrompt(segment.id, segment.systemPromptHash),
    title: segment.title,
    titleSource: segment.titleSource,
    sessionKey: segment.sessionKey,
    generation: peer === null ? null : (side.generations.get(peer) ?? null),
    archived: segment.archived,
    autoArchived: segment.autoArchived,
    pinned: segment.pinned,
    hidden: segment.hidden,
    lastReadAt: segment.lastReadAt,
    config: segment.config,
    usage: segment.usage,
    continuesBy: edge?.kind === 'continuation' ? edge.by : null,
    rest: segment.rest,
  }
}

function originOf(skeleton: Skeleton, talk: Talk, cut: string | null, surveyed: Surveyed): HermesOrigin {
  const { rootId, edge } = skeleton
  if (edge === null) {
    const mark = surveyed.edges.orphanedDelegates.get(rootId)
    if (mark !== undefined) return { kind: 'delegate', sessionId: null, rootId: null, mark }
    return {
      kind: 'root',
      danglingParent: surveyed.edges.danglingParents.get(rootId) ?? null,
      afterResetOf: surveyed.afterReset.get(rootId) ?? null,
    }
  }
  const at = { sessionId: edge.parent, rootId: surveyed.skeletons.of(edge.parent)?.rootId ?? edge.parent }
  switch (edge.kind) {
    case 'branch':
    case 'stray':
      return { kind: edge.kind, ...at, sharedMessages: shown(talk), cut }
    case 'delegate':
      return { kind: 'delegate', ...at, mark: skeleton.segments[0]?.marks.delegateFrom ?? null }
    case 'reset':
    case 'untyped':
      return { kind: edge.kind, ...at }
    case 'continuation':
      throw new Error(`Session ${rootId} continues another one and begins no conversation`)
    default:
      return never(edge.kind)
  }
}

function shown(talk: Talk): number {
  return [...talk.inherited].filter((entry) => entry.kind === 'message' && !isUndone(entry) && !isForModelOnly(entry))
    .length
}

function endOf(tip: SessionRow): HermesConversation['end'] {
  if (tip.endReason === null && tip.endedAt === null) return null
  return {
    reason: tip.endReason,
    class: tip.endReason === null ? 'deliberate' : endClass(tip.endReason),
    at: tip.endedAt,
  }
}

/** The newest message of its own that a person is shown; what a copy's row says of the time counts for nothing. */
function lastActiveOf(talk: Talk, segments: readonly SessionRow[], clock: Clock): number | null {
  const times = talk.entries
    .filter(
      (entry) => entry.kind === 'message' && !talk.inherited.has(entry) && !isUndone(entry) && !isForModelOnly(entry),
    )
    .map((entry) => saneTime(entry.first.time, clock))
  return (
    latest(times) ??
    latest(segments.map((segment) => saneTime(segment.startedAt, clock))) ??
    segments[0]?.startedAt ??
    null
  )
}
