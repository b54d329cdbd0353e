/** An event as a node keeps it. */
export interface KeptEvent {
  readonly id: string
  readonly stream: string
  /** From 0 in its stream. */
  readonly revision: number
  /** In the log: grows, in uneven steps. */
  readonly position: number
  readonly type: string
  readonly contentType: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
  /** In units of 100 ns since 1970. */
  readonly created: string
}

export type ProposedEvent = Pick<KeptEvent, 'id' | 'type' | 'contentType' | 'data' | 'metadata'>

/** What an append, delete or tombstone asks of a stream. */
export type Expected = 'any' | 'no-stream' | 'stream-exists' | number

/** Positions and revisions of what was appended; `revision` is undefined where the stream has no event. */
export type AppendResult =
  | { readonly kind: 'appended'; readonly revision: number | undefined; readonly position: number | undefined }
  | { readonly kind: 'wrong-version'; readonly expected: Expected; readonly current: number | undefined }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'too-large'; readonly limit: number }
