import type { Engine, Source } from '@refold/engine'

/** Programs whose histories can be read. */
export type HistoryFormat = 'hermes' | 'refold'

export interface ImportProgress {
  /** Rows or messages of the source. */
  readonly done: number
  readonly total: number
  /** What is being read or written, in a word or two for people. */
  readonly what: string
}

export interface ImportHistoryOptions {
  /** Absent or `auto`: found out from the file. */
  readonly format?: HistoryFormat | 'auto'
  readonly onProgress?: (progress: ImportProgress) => void
  /** Stops between two appends by throwing its reason; what was written stays, and running the import again goes on. */
  readonly signal?: AbortSignal
  /** Time and hash. Absent: the machine's. */
  readonly source?: Source
}

/** Something that was read otherwise than it stood, or not taken at all. */
export interface HistoryWarning {
  readonly code: string
  /** The place in the source, such as `messages/41.tool_calls`, or the session that it is about. */
  readonly where: string
  /** Where the raw form still is, or what was done instead; null where nothing is to be said. */
  readonly kept: string | null
}

/** What an import needs of an engine. */
export type ImportTarget = Pick<Engine, 'namespace' | 'store' | 'session' | 'importFacts' | 'factsOf' | 'importBundle'>

/** What one import did. */
export interface HistoryReport {
  readonly path: string
  readonly format: HistoryFormat
  /** Sessions that the source holds, its segments joined. */
  readonly sessions: number
  /** Events written. */
  readonly events: number
  /** Messages among them. */
  readonly messages: number
  /** Facts that the log held already. */
  readonly alreadyThere: number
  readonly warnings: readonly HistoryWarning[]
}

/**
 * Reads another program's history into an engine. The file is only read, also while its program writes. Running it again
 * adds only what is new; killed anywhere and run again, it gives what an undisturbed run gives.
 *
 * Throws {@link UnknownHistory} for a file that no format fits, the signal's reason when stopped, and what the file system
 * or the store throws.
 */
export type ImportHistory = (
  engine: ImportTarget,
  path: string,
  options?: ImportHistoryOptions,
) => Promise<HistoryReport>

/** Raised when a file holds no history that can be read. */
export class UnknownHistory extends Error {
  readonly code = 'unknown-history'
  readonly path: string

  constructor(path: string, options?: ErrorOptions) {
    super(
      `${path} holds no history that Refold can read. Hermes' is its state.db; Refold's own are exports in JSON lines.`,
      options,
    )
    this.path = path
  }
}
