import { claimStreamFor, parseSessionStream, sessionStream, type ClaimKind, type Sha256 } from '@refold/events'
import type { ClaimState } from '../deciding/claim-state.ts'
import type { SessionState } from '../deciding/session-state.ts'
import { finding, type Finding } from './finding.ts'

/** A name that a session has by its own events, and the claim that should hold it. */
interface Wanted {
  readonly kind: ClaimKind
  readonly namespace: string
  readonly session: string
  readonly stream: string
}

/** A claim as the log has it. */
export interface SeenClaim extends ClaimState {
  readonly kind: string
  readonly namespace: string
  /** Who held it last, also once it is released. */
  readonly lastHolder: string | null
}

/** What would put a claim right. */
export interface ClaimMend {
  readonly claim: string
  /** Revision that the claim's stream must have; -1: there is none. */
  readonly expected: number
  readonly holder: string
  /** Taken for the holder, or given back. */
  readonly take: { readonly kind: ClaimKind; readonly namespace: string } | null
  /** The holder's stream, and the revision up to which it was looked at; -1: there is none. */
  readonly stream: string
  readonly revision: number
}

interface Claims {
  readonly sha256: Sha256
  readonly secret: string
  readonly sessions: ReadonlyMap<string, SessionState>
  readonly claims: ReadonlyMap<string, SeenClaim>
}

/** Names that sessions have, against those that are held for them. */
export function* examineClaims(seen: Claims): IterableIterator<{ finding: Finding; mend: ClaimMend | null }> {
  const wanted = wantedClaims(seen)
  for (const [claim, state] of seen.claims) {
    const { holder, kind, namespace, revision } = state
    if (holder === null || wanted.get(claim)?.some(({ session }) => session === holder) === true) continue
    const stream = sessionStream({ namespace, session: holder })
    const code = kind === 'id' ? 'id-reserved' : 'claim-dangling'
    const place = { stream, revision, claim: { kind, stream: claim, holder } }
    const mend = { claim, expected: revision, holder, take: null, stream, revision: headOf(seen, stream) }
    yield {
      finding: finding(code, `${capital(kind)} claim ${short(claim)} of session ${holder}:`, place),
      mend: code === 'claim-dangling' ? mend : null,
    }
  }
  for (const [claim, holders] of wanted) {
    const state = seen.claims.get(claim)
    if (state && state.holder !== null) continue
    for (const { kind, namespace, session, stream } of holders) {
      // Imported under a title that was another's at the time: it never had the claim, and may go without.
      if (state && state.lastHolder !== session) continue
      const expected = state?.revision ?? -1
      yield {
        finding: finding('claim-missing', `${capital(kind)} claim ${short(claim)} of session ${session}:`, {
          stream,
          claim: { kind, stream: claim, holder: session },
        }),
        mend: { claim, expected, holder: session, take: { kind, namespace }, stream, revision: headOf(seen, stream) },
      }
      break
    }
  }
}

function wantedClaims({ sha256, secret, sessions }: Claims): ReadonlyMap<string, readonly Wanted[]> {
  const wanted = new Map<string, Wanted[]>()
  for (const [stream, state] of sessions) {
    const address = parseSessionStream(stream)
    if (!address || state.session === null) continue
    const { namespace, session } = address
    const want = (kind: ClaimKind, name: string): void => {
      const claim = claimStreamFor(sha256, secret, { namespace, kind, name })
      const holders = wanted.get(claim) ?? []
      if (!holders.some((other) => other.session === session)) holders.push({ kind, namespace, session, stream })
      wanted.set(claim, holders)
    }
    want('id', session)
    for (const segment of state.segments) want('id', segment)
    if (state.deleted || state.purged) continue
    if (state.title) want('title', state.title.text)
    for (const route of state.routes.keys()) want('route', route)
  }
  return wanted
}

const headOf = ({ sessions }: Claims, stream: string): number => sessions.get(stream)?.revision ?? -1
const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
const short = (claim: string): string => `${claim.slice(0, 24)}…`
