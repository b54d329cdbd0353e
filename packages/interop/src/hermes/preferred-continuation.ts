import type { SessionRow } from './session-row.ts'

export interface TipFacts {
  /** Time of the newest message that makes sense, else `null`. */
  lastMessageTime(session: string): number | null
}

/**
 * Which of several continuations a person is in: one that went on to rotate itself, then one that is open,
 * then the one with the latest activity, the latest start, the highest id.
 */
export function preferred(
  candidates: readonly SessionRow[],
  hasContinuation: (id: string) => boolean,
  facts: TipFacts,
): string | undefined {
  const ranked = candidates.map((session) => ({
    id: session.id,
    rank: session.endReason === 'compression' && hasContinuation(session.id) ? 2 : session.endedAt === null ? 1 : 0,
    active: Math.max(session.lastActivityAt ?? 0, facts.lastMessageTime(session.id) ?? session.startedAt ?? 0),
    started: session.startedAt ?? 0,
  }))
  ranked.sort(
    (a, b) =>
      b.rank - a.rank || b.active - a.active || b.started - a.started || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0),
  )
  return ranked[0]?.id
}
