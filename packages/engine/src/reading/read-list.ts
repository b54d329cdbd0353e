import type { Json } from '@refold/events'
import { listSessions, segmentsOf, statusWord, type TableReaders, type TipRow } from '@refold/projections'
import type { ListedOrigin, ListQuery, SessionList, SessionRow } from '../answers/session-list.ts'
import { refuse, type Refusal } from '../refusal.ts'
import type { ReadingPlace } from './reading-side.ts'

/** A page of the session list. */
export async function readList(
  { views, namespace, source }: ReadingPlace,
  query: ListQuery,
): Promise<SessionList | Refusal> {
  const now = source.now()
  return views.read((rows) => {
    const page = listSessions(rows, { ...query, namespace })
    if (!page.ok) return refuse('bad-cursor', { cursor: page.cursor })
    const { total, cursor } = page
    return { sessions: page.sessions.map((tip) => sessionRow(rows, tip, now)), total, cursor }
  })
}

function sessionRow(rows: Pick<TableReaders, 'segments'>, tip: Readonly<TipRow>, now: number): SessionRow {
  const { turn, leaseUntil } = tip
  return {
    id: tip.session,
    tip: tip.tip,
    segments: segmentsOf(rows, tip),
    title: tip.title,
    titleBy: tip.titleBy,
    preview: tip.preview,
    status: statusWord(tip, now),
    archived: tip.archived !== null,
    pinned: tip.pinned,
    hidden: tip.hidden,
    tags: tagsOf(tip.tags),
    workspace: tip.workspace,
    model: tip.model,
    origin: originOf(tip),
    startedAt: tip.startedAt,
    lastActivityAt: tip.lastActivityAt,
    messages: tip.messages,
    delegates: tip.delegates,
    turn: turn === null ? null : { id: turn, leaseUntil },
    usage: { inputTokens: tip.inputTokens, outputTokens: tip.outputTokens, costUsd: tip.costUsd },
  }
}

const tagsOf = (tags: Json): readonly string[] =>
  Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : []

/** Where a session comes from, as it reads today: once its parent is deleted it stands for itself. */
function originOf({
  originKind: kind,
  originSession: session,
  originMessage: message,
  parentDeleted,
}: Readonly<TipRow>): ListedOrigin {
  switch (kind) {
    case 'branch':
    case 'delegate':
    case 'reset':
    case 'untyped':
    case 'stray':
      if (parentDeleted) return { kind: 'root', was: kind }
      if (kind === 'delegate') return { kind, session }
      if (kind === 'branch') return { kind, session: session ?? '', message }
      return { kind, session: session ?? '' }
    default:
      return { kind: 'root' }
  }
}
