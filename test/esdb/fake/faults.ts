/** What goes wrong on a node, to be set and taken back while it runs. */
export interface Faults {
  /** Appends that are committed before their connection is cut without an answer. */
  dropAfterCommit: number
  /** Appends whose connection is cut before anything is committed. */
  dropBeforeCommit: number
  /** Milliseconds before each answer. */
  slowness: number
  /** Where the leader is; null: this node leads. */
  leader: { readonly host: string; readonly port: number } | null
  /** Every call is refused for want of rights. */
  denied: boolean
  /** Cuts a subscription's connection behind this many events. */
  cutSubscriptionAfter: number
}

export function noFaults(): Faults {
  return {
    dropAfterCommit: 0,
    dropBeforeCommit: 0,
    slowness: 0,
    leader: null,
    denied: false,
    cutSubscriptionAfter: Infinity,
  }
}
