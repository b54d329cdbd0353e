import type Database from 'better-sqlite3'
import { messageRow, type MessageRow } from './message-row.ts'
import { numberIn, type RawRow, textIn } from './raw-row.ts'
import { quoted, rows, type Tables, tablesOf } from './tables.ts'

/** The queries that a reading of the store asks. All tables but `sessions` and `messages` may be missing. */
export interface HermesSource {
  readonly tables: Tables
  readonly schemaVersion: number | null
  all(table: string): readonly RawRow[]
  /** All rows of `sessions`, without the prompts, which would fill the memory of a large store. */
  sessionRows(): readonly RawRow[]
  systemPrompt(session: string, hash: string | null): string | null
  messagesOf(session: string, limit?: number): readonly MessageRow[]
  /** Rows of `messages` whose session id is NULL. */
  messagesOfNobody(): readonly RawRow[]
  /** Ids that rows of `messages` name and `sessions` does not hold. */
  sessionsWithoutRow(): readonly string[]
  newestTimeBetween(session: string, from: number, to: number): number | null
}

/** Raised when a file is readable but holds no Hermes store. */
export class NotHermes extends Error {
  readonly code = 'not-hermes'
}

export function hermesSource(database: Database.Database): HermesSource {
  const tables = tablesOf(database)
  for (const [table, needed] of [
    ['sessions', ['id']],
    ['messages', ['session_id', 'role']],
  ] as const) {
    const columns = tables.columns(table)
    for (const column of needed) {
      if (!columns.includes(column))
        throw new NotHermes(`This file has no column ${table}.${column}, so it is no Hermes store`)
    }
  }
  const columns = tables.columns('messages')
  const id = columns.includes('id') ? 'id' : 'rowid AS id'
  const select = `SELECT ${id === 'id' ? '*' : `${id}, *`} FROM messages`
  const sessionColumns = tables.columns('sessions')
  const hasPrompt = sessionColumns.includes('system_prompt')
  const withoutPrompt = sessionColumns
    .filter((column) => column !== 'system_prompt')
    .map(quoted)
    .join(', ')
  const time = columns.includes('timestamp') ? 'timestamp' : 'NULL'
  return {
    tables,
    schemaVersion: schemaVersion(database, tables),
    all: (table) => (tables.has(table) ? rows(database, `SELECT * FROM ${quoted(table)}`) : []),
    sessionRows: () => rows(database, `SELECT ${withoutPrompt} FROM sessions`),
    systemPrompt: (session, hash) => {
      const byHash =
        hash === null || !tables.has('system_prompts')
          ? undefined
          : rows(database, 'SELECT prompt AS text FROM system_prompts WHERE hash = ?', hash)[0]
      const inline =
        hasPrompt && byHash === undefined
          ? rows(database, 'SELECT system_prompt AS text FROM sessions WHERE id = ?', session)[0]
          : byHash
      return inline === undefined ? null : textIn(inline, 'text')
    },
    messagesOf: (session, limit = -1) =>
      rows(
        database,
        `${select} WHERE session_id = ? ORDER BY ${id === 'id' ? 'id' : 'rowid'} LIMIT ?`,
        session,
        limit,
      ).map(messageRow),
    messagesOfNobody: () => rows(database, `${select} WHERE session_id IS NULL`),
    sessionsWithoutRow: () =>
      rows(
        database,
        `SELECT DISTINCT session_id FROM messages
         WHERE session_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = messages.session_id)`,
      ).flatMap((row) => textIn(row, 'session_id') ?? []),
    newestTimeBetween: (session, from, to) => {
      const found = rows(
        database,
        `SELECT max(${time}) AS newest FROM messages WHERE session_id = ? AND ${time} BETWEEN ? AND ?`,
        session,
        from,
        to,
      )
      return found[0] === undefined ? null : numberIn(found[0], 'newest')
    },
  }
}

function schemaVersion(database: Database.Database, tables: Tables): number | null {
  if (!tables.has('schema_version')) return null
  const found = rows(database, 'SELECT * FROM schema_version')[0]
  return found === undefined ? null : numberIn(found, 'version')
}
