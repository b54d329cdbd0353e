import { claimStreamFor, sessionStream, type Actor, type ClaimKind, type Sha256 } from '@refold/events'

/** Where a command is decided: who asks, under which key, in which world, and at what time. */
export interface Desk {
  readonly namespace: string
  readonly actor: Actor
  /** The command's idempotency key. */
  readonly key: string
  /** The caller gave the key, so that it may have been used before. */
  readonly keyIsGiven: boolean
  /** What the events name as their cause: the caller's word for it, else the key that was given. */
  readonly cause?: string
  /** Epoch milliseconds; the time of recording of what is decided. */
  readonly now: number
  readonly sha256: Sha256
  /** The store's secret, which hides names in claim streams. */
  readonly secret: string
  /** Revision that the session must have, where the caller says so. */
  readonly expect?: number
  /** False for a private session, whose names are claimed when it is promoted. */
  readonly claims: boolean
}

export function streamOf(desk: Pick<Desk, 'namespace'>, session: string): string {
  return sessionStream({ namespace: desk.namespace, session })
}

export function claimOf(desk: Desk, kind: ClaimKind, name: string): string {
  return claimStreamFor(desk.sha256, desk.secret, { namespace: desk.namespace, kind, name })
}

/** A new id that a repeat of the command gets again. */
export function derivedId(desk: Desk, what: string): string {
  return desk.sha256(JSON.stringify([what, desk.namespace, desk.key])).slice(0, 24)
}

/** Id of a message that was given none, by its place in the command's batch. */
export function derivedMessageId(sha256: Sha256, key: string, place: number): string {
  return `message-${sha256(JSON.stringify(['message', key, place])).slice(0, 24)}`
}
