import { counted } from '../output/amount.ts'
import type { Look } from '../output/look.ts'
import { safeText } from '../output/safe-text.ts'

/** A break of a store's chain or of a file's. */
export interface SaidBreak {
  /** Null where a file's line is of no stream. */
  readonly stream: string | null
  readonly session: string | null
  readonly revision: number | null
  /** Null in a file, and where an end is missing. */
  readonly position: number | null
  readonly problem: string
  readonly message: string
  /** Of a file, from 1. */
  readonly line?: number
}

/** A break as `--json` says it. */
export function breakJson(found: SaidBreak): SaidBreak {
  const { stream, session, revision, position, problem, message, line } = found
  return { stream, session, revision, position, problem, message, ...(line !== undefined && { line }) }
}

/** How a verification went, in a sentence. */
export function verifyWords(
  { colours }: Look,
  report: {
    readonly streams: number
    readonly events: number
    readonly missingAttachments?: number
    readonly firstBreak: { readonly message: string } | null
  },
  heads: { readonly count: number; readonly isSigned: boolean } | undefined,
): string {
  const { streams, events, firstBreak, missingAttachments = 0 } = report
  if (firstBreak !== null) return colours.red(safeText(`Broken: ${firstBreak.message}`))
  const lacking =
    missingAttachments === 0
      ? ''
      : ` Of ${counted(missingAttachments, 'attachment')} there is only the hash: named without bytes, or lost.`
  const signed = heads?.isSigned === true ? ', whose signature is good' : ', whose signature was not checked (no --key)'
  const also = heads === undefined ? '' : ` It has all ${counted(heads.count, 'head')} of the list${signed}.`
  return `${counted(events, 'event')} in ${counted(streams, 'stream')}: the chain is whole.${lacking}${also}`
}
