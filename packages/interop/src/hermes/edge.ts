/** How a session hangs on another. A stray is a continuation that lost to another one. */
export type EdgeKind = 'continuation' | 'branch' | 'delegate' | 'reset' | 'stray' | 'untyped'

export interface Edge {
  readonly child: string
  readonly kind: EdgeKind
  readonly parent: string
  /** What told the kind: a column, or the rows. */
  readonly by: 'mark' | 'end reason' | 'source' | 'session key' | 'rows' | 'old schema' | 'nothing'
}
