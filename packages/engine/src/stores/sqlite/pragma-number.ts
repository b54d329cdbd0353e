import type { Database } from 'better-sqlite3'

export function pragmaNumber(database: Database, name: string): number {
  return Number(database.pragma(name, { simple: true }))
}
