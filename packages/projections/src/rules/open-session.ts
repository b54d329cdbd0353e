import { parseSessionStream, type Recorded } from '@refold/events'
import { emptyTranscript } from '../read/levels.ts'
import type { TableRows } from '../tables.ts'
import { count, listClassOf } from './change-tip.ts'
import { moveHead, type Moment } from './move-head.ts'
import type { TipRow } from './tips-rows.ts'
import type { EventTimesRow } from './transcript-rows.ts'

/**
 * Makes a session's rows at the first event of its stream, whichever that is. Streams of claims, and such as only look
 * like a session's, get none; every other rule does nothing for a stream without them.
 */
export function openSession(event: Recorded, rows: TableRows): boolean {
  return rows.tips.get(event.stream) !== undefined || makeRows(event, rows)
}

/** The same, and keeps the stream's head. Messages, which are most events, keep it with their entry. */
export function openAndAdvance(event: Recorded, rows: TableRows): void {
  if (openSession(event, rows)) advance(event, rows)
}

export function advance(event: Moment, rows: TableRows): void {
  let left: EventTimesRow | undefined
  rows.transcripts.update([event.stream], (transcript) => {
    left = moveHead(transcript, event)
  })
  if (left) rows.eventTimes.insert(left)
}

function makeRows({ stream, position, recordedAt, actor }: Recorded, rows: TableRows): boolean {
  const address = parseSessionStream(stream)
  if (!address) return false
  const { namespace, session } = address
  const tip = newTip(stream, namespace, session, position, recordedAt)
  tip.startKnown = actor.kind !== 'importer'
  tip.deleted = isTakenAlong(rows, namespace, session)
  tip.delegates = rows.delegates
    .range('key', { prefix: [stream], limit: Infinity })
    .filter(({ child }) => !isTakenAlong(rows, namespace, child)).length
  tip.listClass = listClassOf(tip)
  rows.tips.insert(tip)
  rows.transcripts.insert(emptyTranscript(stream))
  count(rows, namespace, tip.listClass, 1)
  rows.aliases.insert({ namespace, name: session, stream, kind: 'session' })
  rows.segments.insert({ stream, segment: session, revision: -1 })
  return true
}

/** A deletion names it, even where its own stream says nothing of that yet. */
export function isTakenAlong(rows: TableRows, namespace: string, session: string): boolean {
  return rows.deletions.range('key', { prefix: [namespace, session], limit: 1 }).length > 0
}

function newTip(stream: string, namespace: string, session: string, position: number, time: number): TipRow {
  return {
    stream,
    namespace,
    session,
    tip: session,
    listClass: 'listed',
    sortName: session.toLowerCase(),
    started: false,
    startedAt: time,
    startKnown: true,
    startPosition: position,
    lastActivityAt: time,
    activityPosition: position,
    title: null,
    titleBy: null,
    titleRevision: null,
    titleHeld: null,
    preview: null,
    previewEntry: null,
    turn: null,
    turnHolder: null,
    leaseMs: 0,
    leaseUntil: 0,
    endClass: null,
    endReason: null,
    endedAt: null,
    reported: false,
    archived: null,
    pinned: false,
    hidden: false,
    tags: [],
    workspace: null,
    model: null,
    surface: null,
    originKind: 'root',
    originSession: null,
    originMessage: null,
    parentDeleted: false,
    circleRoot: false,
    deleted: false,
    purged: false,
    messages: 0,
    delegates: 0,
    inputTokens: 0,
    outputTokens: 0,
    costUsd: 0,
    compactionFailures: 0,
    cooldownUntil: null,
  }
}
