import { parseSessionStream, type ChainBreak, type ChainProblem } from '@refold/events'

export type VerifyProblem =
  | ChainProblem
  /** The stream ends before a head that was listed. */
  | 'truncated'
  /** It has another event where a head was listed. */
  | 'other-head'

/** The first thing that is wrong, by its place in the log. */
export interface VerifyBreak extends Omit<ChainBreak, 'problem'> {
  readonly problem: VerifyProblem
  /** The session whose stream it is; null for claims and foreign streams. */
  readonly session: string | null
  /** All of it as a sentence. */
  readonly message: string
}

export interface VerifyReport {
  readonly ok: boolean
  readonly streams: number
  readonly events: number
  readonly blobs: number
  /** Attachments of which there is only the hash: either named by a caller without their bytes, or lost. */
  readonly missingAttachments: number
  readonly firstBreak: VerifyBreak | null
}

/** Where something is wrong and what, without the words. */
export interface FoundBreak extends Omit<ChainBreak, 'problem'> {
  readonly problem: VerifyProblem
}

export function describeBreak(found: FoundBreak): VerifyBreak {
  const { stream, revision, position, problem } = found
  const address = parseSessionStream(stream)
  const whose = address === undefined ? `stream ${JSON.stringify(stream)}` : `session ${address.session}`
  const where = `revision ${revision} of ${whose}${position === null ? '' : ` (position ${position})`}`
  return {
    stream,
    session: address?.session ?? null,
    revision,
    position,
    problem,
    message: `${sentences[problem](where)} ${advice[problem] ?? 'Restore a backup, or import an export of that session elsewhere.'}`,
  }
}

const sentences: { readonly [P in VerifyProblem]: (where: string) => string } = {
  gap: (where) => `The event at ${where} is missing: another stands in its place.`,
  changed: (where) => `The event at ${where} is not what was recorded: its hash does not fit.`,
  erased: (where) => `What the event at ${where} said is gone, and nothing says that it was purged.`,
  masked: (where) => `What the event at ${where} said was replaced, and nothing says that it was redacted to this.`,
  'blob-missing': (where) => `A text of the event at ${where} is missing.`,
  'blob-changed': (where) => `A text or attachment of the event at ${where} has other bytes than were recorded.`,
  truncated: (where) => `The list of heads names ${where}, and the stream ends before it.`,
  'other-head': (where) => `The list of heads names another event at ${where}.`,
}

const advice: { readonly [P in VerifyProblem]?: string } = {
  truncated: 'What was written after the last event here is lost, or this is an older copy.',
  'other-head': 'The stream was written anew since the list was made, or the list is of another store.',
}
