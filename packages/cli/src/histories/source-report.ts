/** What one import did, as `--json` prints it. */
export interface SourceReport {
  /** As it was named. */
  readonly path: string
  readonly format: string
  /** Sessions that the source holds. */
  readonly sessions: number
  /** Events written. */
  readonly events: number
  /** Messages among them. */
  readonly messages: number
  /** Facts that the log held already. */
  readonly alreadyThere: number
  readonly warnings: readonly { readonly code: string; readonly where: string; readonly kept: string | null }[]
}
