/*
 * What a command may refuse, as return values. Codes and fields are part of the public contract; all messages stand in
 * one table, each saying what happened, to which session, and what to do.
 */

import type { HolderFacts } from './commands/describe-holder.ts'

/** A session that a name might have meant. */
export interface Candidate {
  readonly session: string
  readonly title: string | null
}

/** A message that an id might have meant. */
export interface MessageCandidate {
  readonly session: string
  readonly message: string
}

/** Fields that each code carries beside `ok`, `code` and `message`, the sentence for people. */
export interface RefusalFields {
  'session-not-found': { readonly name: string }
  'ambiguous-session': { readonly name: string; readonly candidates: readonly Candidate[] }
  'session-deleted': { readonly session: string }
  'session-ended': { readonly session: string; readonly reason: string }
  'id-taken': { readonly id: string; readonly holder: string }
  'title-taken': { readonly session: string; readonly title: string } & HolderFacts
  'title-set-by-person': { readonly session: string; readonly title: string }
  'title-too-long': { readonly session: string; readonly length: number; readonly limit: number }
  'title-empty': { readonly session: string }
  'moved-on': { readonly session: string; readonly expected: number; readonly actual: number }
  'key-reused': { readonly session: string; readonly key: string; readonly found: string }
  'message-conflict': { readonly session: string; readonly messageId: string }
  'message-not-found': {
    readonly session: string
    readonly messageId: string
    /** Messages that were perhaps meant; only where somebody asked about one. */
    readonly candidates?: readonly MessageCandidate[]
  }
  'note-conflict': { readonly session: string; readonly note: string }
  'stale-compaction': {
    readonly session: string
    readonly base: number
    readonly because: string
    readonly revision: number
  }
  'bad-watermark': { readonly session: string; readonly watermark: number; readonly revision: number }
  'watermark-covered': { readonly session: string; readonly watermark: number; readonly covered: number }
  'not-held': { readonly session: string; readonly lacking: readonly string[]; readonly foreign: readonly string[] }
  'not-smaller': { readonly session: string; readonly bytesBefore: number; readonly bytesAfter: number }
  'summary-empty': { readonly session: string }
  'compaction-not-found': { readonly session: string; readonly compaction: string | null }
  'already-rotated': {
    readonly session: string
    readonly segment: string
    readonly winner: string
    readonly pendingWritten: false
  }
  'segment-not-found': { readonly session: string; readonly segment: string }
  'undo-not-found': { readonly session: string; readonly undoId: string | null }
  'turn-held': {
    readonly session: string
    readonly turn: string
    readonly holder: string
    readonly leaseUntil: number
  }
  'turn-lost': { readonly session: string; readonly turn: string; readonly holder: string | null }
  'turn-not-found': { readonly session: string; readonly turn: string }
  'has-live-turn': { readonly session: string; readonly turn: string; readonly leaseUntil: number }
  'route-taken': { readonly route: string; readonly generation: number } & HolderFacts
  'route-not-bound': { readonly session: string; readonly route: string }
  'route-generation': { readonly route: string; readonly generation: number; readonly current: number }
  'not-a-delegate': { readonly session: string; readonly parent: string }
  'parent-deleted': { readonly session: string; readonly parent: string }
  'not-allowed': { readonly session: string; readonly actor: string; readonly command: string }
  'not-deleted': { readonly session: string }
  'session-purged': { readonly session: string }
  'bad-cursor': { readonly cursor: string }
  'bad-revision': { readonly session: string; readonly at: number; readonly revision: number }
  'bad-position': { readonly until: number; readonly position: number }
  'not-private': { readonly session: string }
}

export type RefusalCode = keyof RefusalFields

const messages: { readonly [C in RefusalCode]: (fields: RefusalFields[C]) => string } = {
  'session-not-found': ({ name }) =>
    `No session is called ${quoted(name)}. List the sessions to see their ids and titles.`,
  'ambiguous-session': ({ name, candidates }) =>
    `${quoted(name)} fits ${candidates.length} sessions (${candidates.map((c) => c.session).join(', ')}). Give more of the id or the whole title.`,
  'session-deleted': ({ session }) => `Session ${session} was deleted. Restore it first, or start another one.`,
  'session-ended': ({ session, reason }) =>
    `Session ${session} was ended on purpose (${reason}). Reopen it, or say so with the append.`,
  'id-taken': ({ id, holder }) => `The id ${quoted(id)} already belongs to session ${holder}. Choose another one.`,
  'title-taken': ({ title, ...held }) =>
    `The title ${quoted(title)} is already in use by session ${holderWords(held)}. Choose another one, or rename that session first.`,
  'title-set-by-person': ({ session, title }) =>
    `A person named session ${session} ${quoted(title)}; only a person may change that.`,
  'title-too-long': ({ session, length, limit }) =>
    `The title for session ${session} has ${length} characters; up to ${limit} are taken. Shorten it.`,
  'title-empty': ({ session }) =>
    `The title for session ${session} has no visible character. Give one, or null to take the title away.`,
  'moved-on': ({ session, expected, actual }) =>
    `Session ${session} has moved on: revision ${expected} was expected, it is at ${actual}. Look at what is new and decide again.`,
  'key-reused': ({ session, key, found }) =>
    `The key ${quoted(key)} was used in session ${session} for another command (${found}). Use a new key for each command.`,
  'message-conflict': ({ session, messageId }) =>
    `Message ${messageId} of session ${session} is there already with other content. Edit it, or append under another id.`,
  'note-conflict': ({ session, note }) =>
    `Note ${note} of session ${session} is there already and says something else. Write it under another id.`,
  'message-not-found': ({ session, messageId, candidates = [] }) =>
    `Session ${session} has no message ${messageId}. ${meantWords(session, candidates)}`,
  'stale-compaction': ({ session, base, because, revision }) =>
    `The context of session ${session} changed since revision ${base} (${because} at ${revision}). Read the context again and compact that.`,
  'bad-watermark': ({ session, watermark, revision }) =>
    `Session ${session} ends at revision ${revision}, before the watermark ${watermark}. Read the context again and compact that.`,
  'watermark-covered': ({ session, watermark, covered }) =>
    `The summary that stands in session ${session} covers revisions up to ${covered}; one up to ${watermark} would bring messages back. Take a later watermark, or undo that compaction first.`,
  'not-held': ({ session, lacking, foreign }) =>
    `The compaction does not cover exactly what its author held of session ${session}: ${lacking.length} messages were not read (${listed(lacking)}), ${foreign.length} are not in its context (${listed(foreign)}). Read the context again and compact that.`,
  'not-smaller': ({ session, bytesBefore, bytesAfter }) =>
    `The compaction would leave the context of session ${session} at ${bytesAfter} bytes, from ${bytesBefore}. Write a shorter summary or keep less.`,
  'summary-empty': ({ session }) =>
    `The summary for session ${session} has no visible character, so its messages would be lost to the model. Nothing was compacted; ask for a summary again.`,
  'compaction-not-found': ({ session, compaction }) =>
    compaction === null
      ? `Session ${session} has no compaction that could be undone.`
      : `Session ${session} has no compaction ${compaction} that could be undone.`,
  'already-rotated': ({ session, segment, winner }) =>
    `Segment ${segment} of session ${session} was rotated already; ${winner} follows it. The pending messages were not written: append them to the session.`,
  'segment-not-found': ({ session, segment }) => `Session ${session} has no segment ${segment}. Look at its lineage.`,
  'undo-not-found': ({ session, undoId }) =>
    undoId === null
      ? `Session ${session} has no rewind that could be undone.`
      : `Session ${session} has no open rewind ${undoId}. Look at its transcript for the ones there are.`,
  'turn-held': ({ session, turn, holder, leaseUntil }) =>
    `Turn ${turn} of session ${session} is held by ${holder} until ${iso(leaseUntil)}. Wait for its end, or for the lease to run out.`,
  'turn-lost': ({ session, turn, holder }) =>
    `Turn ${turn} of session ${session} was taken over${holder === null ? '' : ` by ${holder}`}. Nothing was written; stop this turn.`,
  'turn-not-found': ({ session, turn }) => `Session ${session} has no turn ${turn}. Start it first.`,
  'has-live-turn': ({ session, turn, leaseUntil }) =>
    `Session ${session} is at work (turn ${turn}, until ${iso(leaseUntil)}). End the turn or wait; nothing was deleted.`,
  'route-taken': ({ route, generation, ...held }) =>
    `The route ${quoted(route)} is bound, at generation ${generation}, to session ${holderWords(held)}. Name that generation to take it over.`,
  'route-not-bound': ({ session, route }) => `The route ${quoted(route)} is not bound to session ${session}.`,
  'route-generation': ({ route, generation, current }) =>
    `The route ${quoted(route)} is at generation ${current}; this work is of ${generation} and was dropped.`,
  'not-a-delegate': ({ session, parent }) =>
    `Session ${session} is no delegate of session ${parent}. Spawn it there first.`,
  'parent-deleted': ({ session, parent }) =>
    `Session ${session} belongs to ${parent}, which is deleted. Restore ${parent} first.`,
  'not-allowed': ({ session, actor, command }) =>
    `${actor} works for session ${session} and has no right to ${command} it. A person may.`,
  'not-deleted': ({ session }) => `Session ${session} is not deleted; there is nothing to restore.`,
  'bad-cursor': ({ cursor }) =>
    `${quoted(cursor)} is no cursor of this list. Take the one that an earlier page of the same query gave.`,
  'bad-revision': ({ session, at, revision }) =>
    `Session ${session} has revisions up to ${revision}, and none ${at}. Name one of those, or a time.`,
  'bad-position': ({ until, position }) =>
    `The log ends at position ${position}, before ${until}. Name an earlier position, or a time.`,
  'not-private': ({ session }) =>
    `A private session writes nothing down, so it can neither reset session ${session} nor work for it. Start one that is not private.`,
  'session-purged': ({ session }) => `Session ${session} was purged for good and cannot come back.`,
}

/** What somebody may have meant by the id of a message that is not there. */
function meantWords(session: string, candidates: readonly MessageCandidate[]): string {
  if (candidates.length === 0) return 'Check the id.'
  const here = candidates.filter((one) => one.session === session).map(({ message }) => message)
  if (here.length > 0) return `Did you mean ${here.join(', ')}?`
  return `There is one in ${candidates.map((one) => one.session).join(', ')}.`
}

const quoted = (text: string): string => JSON.stringify(text)
const listed = (ids: readonly string[]): string =>
  ids.length === 0 ? 'none' : ids.slice(0, 5).join(', ') + (ids.length > 5 ? ', …' : '')

/** `S (a delegate, from telegram, archived)`: why a session that has a name may not be in sight. */
function holderWords({ holder, holderOrigin, holderSurface, holderArchived, holderHidden }: HolderFacts): string {
  const facts = [
    ...(holderOrigin === 'delegate' ? ['a delegate'] : []),
    ...(holderSurface === null ? [] : [`from ${holderSurface}`]),
    ...(holderArchived ? ['archived'] : []),
    ...(holderHidden ? ['hidden'] : []),
  ]
  return facts.length === 0 ? holder : `${holder} (${facts.join(', ')})`
}

/** Times in messages; a clock value beyond what a date can say stands as the number it is. */
const iso = (time: number): string => (Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : String(time))

/** A command that was refused: nothing was written. `code` tells which, and which further fields are there. */
export type Refusal<C extends RefusalCode = RefusalCode> = {
  readonly [K in C]: { readonly ok: false; readonly code: K; readonly message: string } & RefusalFields[K]
}[C]

/** Makes a refusal with its message. */
export function refuse<C extends RefusalCode>(code: C, fields: RefusalFields[C]): Refusal<C> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one member of a mapped union, which TypeScript cannot pick by a generic key
  return { ok: false, code, message: messages[code](fields), ...fields } as unknown as Refusal<C>
}
