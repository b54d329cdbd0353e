import type Database from 'better-sqlite3'
import { isObject } from './decode-json.ts'
import type { RawRow } from './raw-row.ts'

/** The tables and columns a file really has; its version number says less. */
export interface Tables {
  has(table: string): boolean
  columns(table: string): readonly string[]
  count(table: string): number
  names(): readonly string[]
}

export function tablesOf(database: Database.Database): Tables {
  const names = rows(database, `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .flatMap((row) => (typeof row['name'] === 'string' ? [row['name']] : []))
    .sort()
  const known = new Set(names)
  return {
    has: (table) => known.has(table),
    columns: (table) =>
      rows(database, `PRAGMA table_info(${quoted(table)})`).flatMap((row) =>
        typeof row['name'] === 'string' ? [row['name']] : [],
      ),
    count: (table) =>
      known.has(table) ? Number(rows(database, `SELECT count(*) AS n FROM ${quoted(table)}`)[0]?.['n'] ?? 0) : 0,
    names: () => names,
  }
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** The boundary at which SQLite's untyped rows come in. */
export function rows(database: Database.Database, sql: string, ...parameters: readonly unknown[]): readonly RawRow[] {
  return database
    .prepare(sql)
    .all(...parameters)
    .filter(isObject)
}
