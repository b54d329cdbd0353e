import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HermesConversation, openHermes, shownMessages } from '@refold/interop'
import Database from 'better-sqlite3'

export type Fields = Readonly<Record<string, string | number | null | Buffer>>

export interface MadeStore {
  readonly sessions: readonly Fields[]
  readonly messages: readonly Fields[]
  readonly schemaVersion?: number
  readonly more?: (database: Database.Database) => void
}

/** A moment in July 2026, in whole seconds. */
export const start = 1_783_000_000
export const now: number = start + 86_400 * 30

/** Writes a store with exactly the columns that its rows name. */
export function makeStore({ sessions, messages, schemaVersion = 23, more }: MadeStore): string {
  const path = join(mkdtempSync(join(tmpdir(), 'made-hermes-')), 'state.db')
  const database = new Database(path)
  database.exec(`CREATE TABLE schema_version (version INTEGER); INSERT INTO schema_version VALUES (${schemaVersion})`)
  database.exec('BEGIN')
  fill(database, 'sessions', 'id TEXT PRIMARY KEY', sessions)
  fill(database, 'messages', 'id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, timestamp REAL', messages)
  database.exec('COMMIT')
  more?.(database)
  database.close()
  return path
}

function fill(database: Database.Database, table: string, columns: string, rows: readonly Fields[]): void {
  const given = columns.split(', ').map((column) => column.split(' ')[0])
  const names = new Set(rows.flatMap((row) => Object.keys(row)))
  const others = [...names].filter((name) => !given.includes(name))
  database.exec(`CREATE TABLE ${table} (${[columns, ...others.map((name) => `"${name}"`)].join(', ')})`)
  for (const row of rows) {
    const keys = Object.keys(row)
    database
      .prepare(
        `INSERT INTO ${table} (${keys.map((key) => `"${key}"`).join(', ')}) VALUES (${keys.map(() => '?').join(', ')})`,
      )
      .run(...Object.values(row))
  }
}

export function readAll(path: string): readonly HermesConversation[] {
  const reader = openHermes(path, { now })
  try {
    return [...reader.conversations()]
  } finally {
    reader.close()
  }
}

/** The only conversation of a store with one session called `s` and these rows. */
export function readRows(messages: readonly Fields[], session: Fields = {}): HermesConversation {
  const [conversation] = readAll(
    makeStore({
      sessions: [{ id: 's', source: 'cli', started_at: start, ...session }],
      messages: messages.map((row, at) => ({ id: at + 1, session_id: 's', ...row })),
    }),
  )
  if (conversation === undefined) throw new Error('There is no conversation')
  return conversation
}

export const textsOf = (conversation: HermesConversation): readonly string[] =>
  shownMessages(conversation).map(({ text }) => text)

export const user = (content: string, timestamp: number, more: Fields = {}): Fields => ({
  role: 'user',
  content,
  timestamp,
  ...more,
})

export const assistant = (content: string, timestamp: number, more: Fields = {}): Fields => ({
  role: 'assistant',
  content,
  timestamp,
  ...more,
})

export const calling = (id: string, timestamp: number, more: Fields = {}): Fields => ({
  role: 'assistant',
  content: '',
  timestamp,
  tool_calls: JSON.stringify([{ id, type: 'function', function: { name: 'run', arguments: '{"n":1}' } }]),
  ...more,
})

export const result = (id: string, content: string, timestamp: number, more: Fields = {}): Fields => ({
  role: 'tool',
  content,
  timestamp,
  tool_call_id: id,
  tool_name: 'run',
  ...more,
})

export const summary =
  '[CONTEXT COMPACTION — REFERENCE ONLY] So far:\n## Goal\nGo on\n\n--- END OF CONTEXT SUMMARY — respond below ---'

export const archived: Fields = { active: 0, compacted: 1 }
export const live: Fields = { active: 1, compacted: 0 }
export const gone: Fields = { active: 0, compacted: 0 }

/** Rows written in one go: a microsecond apart. */
export function together(at: number, rows: readonly ((time: number) => Fields)[]): readonly Fields[] {
  return rows.map((row, index) => row(at + index / 1_000_000))
}
