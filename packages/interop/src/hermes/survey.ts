import { classifyEdges, type Edges } from './classify-edges.ts'
import { type Clock } from './clock.ts'
import { continuesByRows } from './continues-by-rows.ts'
import type { HermesEdge } from './conversation.ts'
import type { KnownPlaces } from './known-place.ts'
import { groupedBy } from './grouped-by.ts'
import type { HermesSource } from './hermes-source.ts'
import { unknownMessageColumns } from './message-row.ts'
import type { RawRow } from './raw-row.ts'
import { readSessions } from './read-sessions.ts'
import { readSideTables, type SideTables } from './side-tables.ts'
import { joinSegments, type Skeletons } from './skeleton.ts'
import { doubleTitles } from './title.ts'
import type { HermesWarning, Warn } from './warning.ts'

/** What can be said of a store before any talk is read. */
export interface HermesSurvey {
  readonly schemaVersion: number | null
  /** For the progress of the reading. */
  readonly totals: { readonly sessions: number; readonly messageRows: number; readonly conversations: number }
  /** Every session of the file, segments too; those that only messages name have no start. */
  readonly sessions: readonly { readonly id: string; readonly startedAt: number | null }[]
  readonly edges: readonly HermesEdge[]
  /** Conversations that give up a title, and the newer one that keeps it. */
  readonly doubleTitles: ReadonlyMap<string, string>
  /** Rows that belong to no conversation, by table; raw. */
  readonly leftovers: Readonly<Record<string, readonly RawRow[]>>
  readonly warnings: readonly HermesWarning[]
}

export interface Surveyed {
  readonly source: HermesSource
  readonly survey: HermesSurvey
  readonly edges: Edges
  readonly skeletons: Skeletons
  readonly side: SideTables
  /** Conversations that give up a title, and who keeps it. */
  readonly losers: ReadonlyMap<string, string>
  /** Sessions that a peer began after a reset, and the one before it. */
  readonly afterReset: ReadonlyMap<string, string>
}

/** From this version on delegates are marked. */
const marksDelegates = 16

/** @param known what an earlier reading made of sessions, by their ids: it stands whatever the rows say now */
export function surveyStore(source: HermesSource, clock: Clock, known: KnownPlaces = new Map()): Surveyed {
  const warnings: HermesWarning[] = []
  const warn: Warn = (code, where, kept) => warnings.push({ code, where, kept })
  const { byId, nameless } = readSessions(source, warn)
  const edges = classifyEdges({
    sessions: byId,
    delegatesAreMarked:
      (source.schemaVersion ?? (source.tables.columns('messages').includes('compacted') ? marksDelegates : 0)) >=
      marksDelegates,
    rows: {
      continuesByRows: (child, parent) => continuesByRows(source, child, parent),
      lastMessageTime: (session) => source.newestTimeBetween(session, 946_684_800, clock.now + 86_400),
    },
    warn,
    known,
  })
  const skeletons = joinSegments(byId, edges)
  const side = readSideTables(source, (session) => byId.has(session), warn)
  const nobodys = source.messagesOfNobody()
  if (nobodys.length > 0) warn('message-without-session', 'messages', 'leftovers.messages')
  warnOfUnknown(source, warn)
  const losers = doubleTitles(skeletons.all)
  for (const [loser, keeper] of losers) warn('double-title', `sessions/${loser}.title`, keeper)
  return {
    source,
    survey: {
      schemaVersion: source.schemaVersion,
      totals: {
        sessions: byId.size,
        messageRows: source.tables.count('messages'),
        conversations: skeletons.all.length,
      },
      sessions: [...byId.values()].map(({ id, startedAt }) => ({ id, startedAt })),
      edges: [...edges.byChild.values()].map(({ child, kind, parent }) => ({ child, kind, parent })),
      doubleTitles: losers,
      leftovers: { ...side.leftovers, sessions: nameless, messages: nobodys },
      warnings,
    },
    edges,
    skeletons,
    side,
    losers,
    afterReset: resets(skeletons),
  }
}

/** Older versions write no edge at a reset: the peer's next session is known by its key alone. */
function resets(skeletons: Skeletons): ReadonlyMap<string, string> {
  const after = new Map<string, string>()
  const byKey = groupedBy(
    skeletons.all.filter(({ segments }) => segments[0]?.sessionKey != null),
    ({ segments }) => segments[0]?.sessionKey ?? '',
  )
  for (const peers of byKey.values()) {
    const ordered = peers.toSorted((a, b) => (a.segments[0]?.startedAt ?? 0) - (b.segments[0]?.startedAt ?? 0))
    for (const [at, { rootId }] of ordered.entries()) {
      const before = ordered[at - 1]
      if (before?.segments.at(-1)?.endReason != null) after.set(rootId, before.rootId)
    }
  }
  return after
}

/** Tables that were read, that Hermes derives from others, or that hold only what lives as long as a process. */
const knownTables =
  /^(sessions|messages|schema_version|system_prompts|session_(model|daily)_usage|state_meta|gateway_\w+|conversation_generations|compression_locks|session_turn_leases|async_delegations|messages_fts\w*)$/

function warnOfUnknown(source: HermesSource, warn: Warn): void {
  for (const table of source.tables.names()) {
    if (!knownTables.test(table)) warn('unknown-table', table, 'rawRows')
  }
  for (const column of unknownMessageColumns(source.tables.columns('messages')))
    warn('unknown-column', `messages.${column}`, 'extra')
}
