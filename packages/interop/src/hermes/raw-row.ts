/** A row as SQLite gave it: only the columns that this file really has. */
export type RawRow = Readonly<Record<string, unknown>>

/**
 * The text in a column. Blobs are read as UTF-8 and numbers as their digits, because SQLite stores whatever
 * a writer bound, whatever the column says.
 */
export function textIn(row: RawRow, column: string): string | null {
  const value = row[column]
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  return null
}

/** The number in a column, also when it was stored as text; `null` when there is none. */
export function numberIn(row: RawRow, column: string): number | null {
  const value = row[column]
  if (typeof value === 'number') return Number.isNaN(value) ? null : value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string' || value.trim() === '') return null
  const parsed = Number(value)
  return Number.isNaN(parsed) ? null : parsed
}

/** A 0/1 column; NULL and absent mean `otherwise`. */
export function flagIn(row: RawRow, column: string, otherwise: boolean = false): boolean {
  const value = numberIn(row, column)
  return value === null ? otherwise : value !== 0
}

/** What stands in columns that nobody asked for: kept, so that a later reader can still understand it. */
export function restOf(row: RawRow, known: ReadonlySet<string>): RawRow {
  const rest: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) {
    if (!known.has(column) && value !== null) rest[column] = value
  }
  return rest
}
