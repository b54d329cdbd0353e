/** Something that was read otherwise than it stood, or not understood. `kept` says where its raw form still is. */
export interface HermesWarning {
  readonly code: HermesWarningCode
  /** The place in the source: a table, `sessions/<id>` or `messages/<id>`, and the column after a dot. */
  readonly where: string
  readonly kept: string
}

export type HermesWarningCode =
  | 'absurd-time'
  | 'branch-shares-nothing'
  | 'circle-cut'
  | 'dangling-goal'
  | 'dangling-mark'
  | 'dangling-parent'
  | 'delegation-without-session'
  | 'double-title'
  | 'end-without-reason'
  | 'mark-names-another-session'
  | 'message-without-session'
  | 'redelivery-with-other-text'
  | 'session-row-missing'
  | 'session-without-id'
  | 'source-reinterpreted'
  | 'uid-with-two-texts'
  | 'unknown-column'
  | 'unknown-display-kind'
  | 'unknown-role'
  | 'unknown-table'
  | 'unreadable-json'

export type Warn = (code: HermesWarningCode, where: string, kept: string) => void
