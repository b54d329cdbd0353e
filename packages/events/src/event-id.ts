import type { ClaimKind } from './streams.ts'
import { claimStream } from './streams.ts'
import type { Sha256 } from './sha256.ts'

/*
 * Event ids are 16 bytes, written as 32 lowercase hex digits, and derived: the same fact told twice gets the same id,
 * which is what makes every append safe to repeat. JSON arrays keep the parts apart whatever they contain.
 */

const derive = (sha256: Sha256, ...parts: readonly (string | number)[]): string =>
  sha256(JSON.stringify(parts)).slice(0, 32)

/** Id of the event that (completely) appends a message. */
export function messageEventId(sha256: Sha256, stream: string, message: string): string {
  return derive(sha256, 'message', stream, message)
}

/** Id of the event that stores a growing answer for the `number`th time. */
export function partialEventId(sha256: Sha256, stream: string, message: string, number: number): string {
  return derive(sha256, 'partial', stream, message, number)
}

/** Id of the `index`th event that a command with this idempotency key writes into a stream. */
export function commandEventId(sha256: Sha256, stream: string, key: string, index: number): string {
  return derive(sha256, 'command', stream, key, index)
}

/** Id of an imported fact: a re-import of the same fact gets the same id. */
export function importedEventId(
  sha256: Sha256,
  stream: string,
  fact: {
    readonly tool: string
    readonly source: string
    readonly record: string
    readonly aspect: string
    readonly value: string
  },
): string {
  return derive(sha256, 'imported', stream, fact.tool, fact.source, fact.record, fact.aspect, fact.value)
}

/** Message id for a message that carries a platform id and none of its own. */
export function platformMessageId(sha256: Sha256, platformId: string): string {
  return `platform-${derive(sha256, 'platform', platformId)}`
}

/** Stream that reserves a name. The store's secret keeps names from being guessed by their hash. */
export function claimStreamFor(
  sha256: Sha256,
  secret: string,
  claim: { readonly namespace: string; readonly kind: ClaimKind; readonly name: string },
): string {
  const name = claim.name.normalize('NFC')
  return claimStream(claim.kind, sha256(JSON.stringify([claim.namespace, claim.kind, name, secret])))
}
