import type { ErrorCode, RefoldError } from '@refold/events'
import { exitCode, type ExitCode } from '../exit-code.ts'
import { BadInput } from '../input/bad-input.ts'
import { UsageError } from '../words/usage-error.ts'

/** Why a command was not carried out, as `--json` says it. */
export interface Failure {
  readonly exit: ExitCode
  readonly error: { readonly code: string; readonly message: string }
}

const exits: { readonly [C in ErrorCode]: ExitCode } = {
  'event-malformed': exitCode.refused,
  'append-malformed': exitCode.refused,
  'bad-id': exitCode.refused,
  'batch-too-large': exitCode.refused,
  'cannot-erase': exitCode.refused,
  'store-missing': exitCode.refused,
  'store-readonly': exitCode.unreadable,
  'store-failed': exitCode.unreadable,
  'store-full': exitCode.unreadable,
  'store-damaged': exitCode.unreadable,
  'store-replaced': exitCode.unreadable,
  'not-a-store': exitCode.unreadable,
  'store-newer': exitCode.unreadable,
  'sqlite-too-old': exitCode.unreadable,
  'blob-missing': exitCode.unreadable,
  'outcome-unknown': exitCode.busy,
  'store-busy': exitCode.busy,
  'store-unreachable': exitCode.busy,
  'store-denied': exitCode.unreadable,
  'store-closed': exitCode.busy,
  'views-behind': exitCode.busy,
  contended: exitCode.busy,
}

/** A refusal as the engine returns it. */
export interface RefusalLike {
  readonly ok: false
  readonly code: string
  readonly message: string
}

export function refused(refusal: RefusalLike): Failure {
  const { ok: _, ...error } = refusal
  return { exit: exitCode.refused, error }
}

/** What was thrown, as a failure. What nobody foresaw keeps its message and has the code `unexpected`. */
export async function failureOf(thrown: unknown): Promise<Failure> {
  if (thrown instanceof UsageError) return { exit: exitCode.usage, error: { code: 'usage', message: thrown.message } }
  if (thrown instanceof BadInput) {
    const { code, message, fields } = thrown
    return { exit: exitCode.refused, error: { code, message, ...fields } }
  }
  // Loaded here and not above, for it brings the schemas along and most calls do not fail.
  const events = await import('@refold/events')
  const isForeseen = (error: unknown): error is RefoldError => error instanceof events.RefoldError
  if (isForeseen(thrown)) {
    const { code, message, fields } = thrown
    return { exit: exits[code], error: { code, message, ...fields } }
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return { exit: exitCode.refused, error: { code: 'unexpected', message } }
}
