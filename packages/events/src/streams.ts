/** Where a session lives: its namespace and its id. */
export interface SessionAddress {
  readonly namespace: string
  readonly session: string
}

const SESSION = 'session-'
const CLAIM = 'claim-'

/** Percent-encodes everything but ASCII letters, digits, `_` and `-`, so that a `.` only ever separates. */
function encode(name: string): string {
  return encodeURIComponent(name).replace(
    /[.!~*'()]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

/** `session-<namespace>.<id>`; throws `URIError` on a lone surrogate, so check ids first. */
export function sessionStream({ namespace, session }: SessionAddress): string {
  return `${SESSION}${encode(namespace)}.${encode(session)}`
}

/** The session that a stream belongs to, or undefined for any other stream. */
export function parseSessionStream(stream: string): SessionAddress | undefined {
  if (!stream.startsWith(SESSION)) return undefined
  const dot = stream.indexOf('.')
  if (dot < 0) return undefined
  try {
    return {
      namespace: decodeURIComponent(stream.slice(SESSION.length, dot)),
      session: decodeURIComponent(stream.slice(dot + 1)),
    }
  } catch {
    return undefined // a foreign stream whose name only looks like ours
  }
}

export function isSessionStream(stream: string): boolean {
  return stream.startsWith(SESSION)
}

export function isClaimStream(stream: string): boolean {
  return stream.startsWith(CLAIM)
}

/** What can be reserved within a namespace. Session and segment ids are one kind. */
export type ClaimKind = 'id' | 'title' | 'route'

/** `claim-<kind>-<digest>`: the digest hides the name from whoever can read stream names. */
export function claimStream(kind: ClaimKind, digest: string): string {
  return `${CLAIM}${kind}-${digest}`
}
