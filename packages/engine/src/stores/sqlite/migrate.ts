import type { Database } from 'better-sqlite3'
import { RefoldError } from '@refold/events'
import { pragmaNumber } from './pragma-number.ts'
import type { Migration } from './migrations.ts'

/** `Refo` in ASCII, in the file's header: tells a Refold store from any other SQLite file. */
export const APPLICATION_ID = 0x5265_666f

/**
 * Brings a file up to the newest format, step by step. A step that fails leaves the file at the format before it; a file
 * of a newer Refold is refused and left as it is.
 */
export function migrate(database: Database, file: string, steps: readonly Migration[]): void {
  while (formatOf(database) !== steps.length) {
    database.exec('BEGIN IMMEDIATE')
    try {
      takeStep(database, file, steps)
      database.exec('COMMIT')
    } catch (problem) {
      if (database.inTransaction) database.exec('ROLLBACK')
      throw problem
    }
  }
}

/** Reads the format anew: another process may have been faster. */
function takeStep(database: Database, file: string, steps: readonly Migration[]): void {
  const format = formatOf(database)
  if (format > steps.length) throw new RefoldError('store-newer', { file, found: format, known: steps.length })
  const step = steps[format]
  if (step === undefined) return
  step(database)
  database.pragma(`application_id = ${APPLICATION_ID}`)
  database.pragma(`user_version = ${format + 1}`)
}

export function formatOf(database: Database): number {
  return pragmaNumber(database, 'user_version')
}
