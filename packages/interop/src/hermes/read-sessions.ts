import type { HermesSource } from './hermes-source.ts'
import { textIn, type RawRow } from './raw-row.ts'
import { sessionRow, type SessionRow } from './session-row.ts'
import type { Warn } from './warning.ts'

export interface Sessions {
  readonly byId: ReadonlyMap<string, SessionRow>
  /** Rows without an id, which nothing can refer to. */
  readonly nameless: readonly RawRow[]
}

/** All rows of `sessions`, and one for every id that only messages name, so that their talk is not lost. */
export function readSessions(source: HermesSource, warn: Warn): Sessions {
  const byId = new Map<string, SessionRow>()
  const nameless: RawRow[] = []
  for (const row of source.sessionRows()) {
    const id = textIn(row, 'id')
    if (id === null || id === '') {
      nameless.push(row)
      warn('session-without-id', 'sessions', 'leftovers.sessions')
      continue
    }
    const session = sessionRow(id, row)
    for (const column of session.unreadable) warn('unreadable-json', `sessions/${id}.${column}`, 'rest')
    byId.set(id, session)
  }
  for (const id of source.sessionsWithoutRow()) {
    warn('session-row-missing', `sessions/${id}`, 'messages')
    byId.set(id, sessionRow(id, {}))
  }
  return { byId, nameless }
}
