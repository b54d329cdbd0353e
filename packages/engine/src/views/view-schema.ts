import type { TableDefinitions } from '@refold/projections'
import { tableSchema } from './table-schema.ts'

/** Raised when the tables beside the projections' own change. */
const FORMAT = 1

/** Its one row says up to where, of which log, and by which code a file is folded. `more`: further columns. */
export const checkpointTable = (more = ''): string =>
  `CREATE TABLE checkpoint (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    shape TEXT NOT NULL,
    generation INTEGER NOT NULL,
    log_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    hash TEXT NOT NULL,
    stream TEXT,
    revision INTEGER${more}
  ) STRICT`

export const STREAM_NAMES = `CREATE TABLE stream_names (stream_key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT`

const OWN = [
  checkpointTable(),
  STREAM_NAMES,
  `CREATE TABLE session_states (
    stream TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    hash TEXT NOT NULL,
    version INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
]

/** The statements that make an empty views file. */
export function viewSchema<T>(tables: TableDefinitions<T>): readonly string[] {
  const statements = [...OWN]
  for (const name in tables) statements.push(...tableSchema(tables[name]))
  return statements
}

/** What two programs must have in common to share a views file: as text, to be compared. */
export function viewShape<T>(
  tables: TableDefinitions<T>,
  projections: readonly { readonly name: string; readonly version: number }[],
): string {
  const versions = projections.map(({ name, version }) => [name, version])
  return JSON.stringify({ format: FORMAT, versions, schema: viewSchema(tables) })
}
