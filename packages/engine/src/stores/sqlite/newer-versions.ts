import type { Database, Statement } from 'better-sqlite3'
import { currentVersion, isEventType, RefoldError } from '@refold/events'

/**
 * Notices events of a version that this build does not know. Whoever decides without understanding what happened could
 * do harm, so such a log is only read.
 */
export class NewerVersions {
  readonly #file: string
  readonly #typesSince: Statement<[typeKey: number], [typeKey: number, type: string, version: number]>
  #seen = 0
  #newer: { readonly found: number; readonly known: number } | undefined

  constructor(database: Database, file: string) {
    this.#file = file
    this.#typesSince = database
      .prepare<[number], [number, string, number]>(
        'SELECT type_key, type, version FROM event_types WHERE type_key > ? ORDER BY type_key',
      )
      .raw()
  }

  /** Throws `store-newer` once the log holds a newer version of a known type. */
  refuse(): void {
    for (const [key, type, version] of this.#typesSince.all(this.#seen)) {
      this.#seen = key
      if (!isEventType(type)) continue
      const known = currentVersion(type)
      if (version > known) this.#newer ??= { found: version, known }
    }
    if (this.#newer !== undefined) throw new RefoldError('store-newer', { file: this.#file, ...this.#newer })
  }
}
