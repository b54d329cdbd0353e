import type { SessionRow } from '@refold/engine'
import { isoTime } from '../output/moment.ts'

/** A session of the list as `--json` prints it. */
export function sessionRowJson(row: SessionRow): object {
  return {
    id: row.id,
    tip: row.tip,
    segments: row.segments,
    title: row.title,
    titleBy: row.titleBy,
    preview: row.preview,
    status: row.status,
    archived: row.archived,
    pinned: row.pinned,
    origin: row.origin,
    startedAt: isoTime(row.startedAt),
    lastActivityAt: isoTime(row.lastActivityAt),
    messages: row.messages,
    delegates: row.delegates,
    turn: row.turn === null ? null : { id: row.turn.id, leaseUntil: isoTime(row.turn.leaseUntil) },
    usage: row.usage,
    hidden: row.hidden,
    tags: row.tags,
    workspace: row.workspace,
    model: row.model,
  }
}
